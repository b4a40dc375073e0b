import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EXCHANGES } from '@copydesk/domain';
import { expect, onTestFinished, test } from 'vitest';

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
  return message as { ready: boolean; epoch: string; urls: Record<string, string>; telegram: string };
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
