import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXCHANGES } from '@copydesk/domain/catalogue';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../chain/index.ts';

const program = fileURLToPath(new URL('./simulators.ts', import.meta.url));

function start(env: Record<string, string> = {}) {
  const child = fork(program, {
    silent: true,
    env: { SIMULATORS_TRADERS: '5', ...env },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function readReady(child: ReturnType<typeof start>) {
  const [message] = await once(child, 'message');
  return message as {
    ready: boolean;
    epoch: string;
    urls: Record<string, string>;
    telegram: string;
    tradingBot?: string;
  };
}

async function readError(child: ReturnType<typeof start>) {
  let text = '';
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text;
}

test('the program prints all addresses, and ends with its parent', async () => {
  const child = start({ SIMULATORS_EPOCH: '2026-03-01T10:20:00Z' });
  const { ready, epoch, urls, telegram } = await readReady(child);
  expect([ready, epoch]).toEqual([true, '2026-03-01T10:00:00.000Z']);
  expect(Object.keys(urls).sort()).toEqual([...EXCHANGES].sort());
  const answer = await fetch(`${urls.binance}/fapi/v1/time`);
  expect(await answer.json()).toEqual({ serverTime: expect.any(Number) });
  const bot = await fetch(`${telegram}/bot1000001:simulated-bot-that-nobody-owns/getMe`);
  expect(await bot.json()).toMatchObject({ ok: true, result: { id: 1_000_001 } });
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 60_000);

test('the program ends on SIGTERM, and reports wrong settings', async () => {
  const child = start();
  await readReady(child);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const wrong = start({ SIMULATORS_TRADERS: 'many' });
  expect(await readError(wrong)).toMatch(/SIMULATORS_TRADERS/);
}, 60_000);

test('the program ends with its chain, so that whoever keeps it running starts both again', async () => {
  const child = start({ SIMULATORS_PORT_CHAIN: String(await findFreePort()) });
  await readReady(child);
  const [chain] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  process.kill(Number(chain), 'SIGKILL');
  expect(await once(child, 'exit')).toEqual([1, null]);
}, 60_000);

test('pools add a bot, and accounts at bybit that survive a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copydesk-simulators-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = {
    COPYDESK_DATA_DIR: folder,
    SIMULATORS_PORT_CHAIN: String(await findFreePort()),
    SIMULATORS_POOLS: '2',
    SIMULATORS_BOT_SECRET: 'a',
    SIMULATORS_ACK_URL: 'http://127.0.0.1:9/',
    SIMULATORS_ACK_SECRET: 'b',
  };
  const run = async (act: (bybit: string, bot: string) => Promise<void>) => {
    const child = start(env);
    const { urls, tradingBot } = await readReady(child);
    await act(urls.bybit ?? '', tradingBot ?? '');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  };
  const pools = async (bybit: string) => {
    const answer = await fetch(`${bybit}/__pools`);
    return ((await answer.json()) as { pools: { account: string; funding: string }[] }).pools;
  };
  await run(async (bybit, bot) => {
    expect(await pools(bybit)).toMatchObject([
      { account: '70000001', funding: '0' },
      { account: '70000002' },
    ]);
    expect((await fetch(bot, { method: 'POST', body: '{}' })).status).toBe(401);
    await fetch(`${bybit}/__pools`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: '70000001', act: 'deposit', amount: '12.5' }),
    });
  });
  await run(async (bybit) => {
    expect((await pools(bybit))[0]).toMatchObject({ funding: '12.5' });
  });
  const { SIMULATORS_ACK_SECRET: _, ...incomplete } = env;
  expect(await readError(start(incomplete))).toMatch(/SIMULATORS_ACK_SECRET/);
}, 60_000);
