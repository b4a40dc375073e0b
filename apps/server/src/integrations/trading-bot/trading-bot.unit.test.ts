import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { tradingBotEvent } from '@copydesk/contract/pools';
import { createPoolState, createPools, startTradingBot } from '@copydesk/simulators/pools';
import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackVenue } from '../../../../../tests/support/exchanges/loopback-venue.ts';
import { until } from '../../../../../tests/support/until.ts';
import { createTimestampedHmac } from '../../platform/http/webhooks/timestamped-hmac.ts';
import { createAcknowledgementVerifier } from './acknowledgement.ts';
import { createTradingBot } from './create-trading-bot.ts';
import type { TradingBotError, TradingCommand } from './gateway.ts';

const SECRET = 'canary-of-the-secret-that-signs';
const BOT_SECRET = 'secret-of-the-bot';
const USDT = 10n ** 18n;
const now = () => new Date();

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Our side of the acknowledgements: it records them, and answers the first ones with an error. */
async function receive(failures = 0) {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push({ headers: incoming.headers, body: Buffer.concat(chunks) });
    response.writeHead(received.length <= failures ? 500 : 200).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ack`, received };
}

async function setUp({ failures = 0, delayMs = 30 } = {}) {
  const state = createPoolState({
    uid: '7',
    apiKey: 'k',
    secretKey: 's',
    depositAddress: '0x1',
    unified: 500n * USDT,
  });
  const pools = createPools({ accounts: [state], faults: { meetRecord: () => null } });
  // Its first position has been open for a second.
  pools.startTrading('7', 60_000);
  pools.change('7', ({ trading }) => {
    if (trading) trading.openedAt = Date.now() - 1_000;
  });
  const inbox = await receive(failures);
  const simulated = await startTradingBot({
    pools,
    uidOf: (poolId) => (poolId === '12' ? '7' : null),
    secret: SECRET,
    acknowledge: { url: inbox.url, token: 'Bot_canary', secret: BOT_SECRET, retryMs: 20 },
    delayMs,
  });
  onTestFinished(() => simulated.close());
  const bot = createTradingBot({ url: simulated.url, secret: SECRET, timeoutMs: 5_000 }, { now });
  return { ...inbox, pools, simulated, bot };
}

const order = (command: TradingCommand, poolId = '12') => ({
  requestId: randomUUID(),
  poolId,
  command,
  requestedAt: new Date(),
});

async function failureOf(asked: Promise<unknown>) {
  const error = (await asked.then(
    () => null,
    (thrown) => thrown,
  )) as TradingBotError;
  expect(error?.name).toBe('TradingBotError');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary');
  const { code, isUncertain, isRetryable, retryAfterMs } = error;
  return { code, isUncertain, isRetryable, retryAfterMs };
}

test('a pool is paused and resumed, and the bot acknowledges each with its token and signature', async () => {
  // Long enough to read the state in between on a busy machine.
  const { bot, pools, received } = await setUp({ delayMs: 1_000 });
  const pause = order('pause');
  await bot.command(pause);
  expect(await bot.readStatus('12')).toMatchObject({ state: 'pausing', requestId: pause.requestId });
  await until(async () => received.length === 1, 5_000);
  expect(pools.get('7')).toMatchObject({ trading: null, positions: [] });
  expect(await bot.readStatus('12')).toMatchObject({ state: 'paused', requestId: pause.requestId });

  const resume = order('resume');
  await bot.command(resume);
  await until(async () => received.length === 2, 5_000);
  expect(pools.get('7').trading).not.toBeNull();
  const verify = createAcknowledgementVerifier([BOT_SECRET]);
  const events = await Promise.all(
    received.map(async ({ headers, body }) => {
      expect((await verify({ headers, body }))?.signedAt.getTime()).toBeGreaterThan(Date.now() - 10_000);
      expect(headers.authorization).toBe('Bot_canary');
      return tradingBotEvent.parse(JSON.parse(body.toString()));
    }),
  );
  expect(events).toMatchObject([
    { request_id: pause.requestId, pool_id: '12', state: 'paused' },
    { request_id: resume.requestId, pool_id: '12', state: 'trading' },
  ]);
});

test('an acknowledgement is repeated as the same event until we take it, and a forged one is not genuine', async () => {
  const { bot, received } = await setUp({ failures: 2 });
  await bot.command(order('pause'));
  await until(async () => received.length === 3, 5_000);
  const bodies = received.map(({ body }) => body.toString());
  expect(new Set(bodies).size).toBe(1);
  const verify = createAcknowledgementVerifier([BOT_SECRET]);
  const [{ headers, body }] = received as [Received];
  expect(verify({ headers, body: Buffer.from(`${body} `) })).toBeNull();
  // Our own signature is none of the bot's.
  expect(createAcknowledgementVerifier([SECRET])({ headers, body })).toBeNull();
});

test('a command that is sent again is obeyed once, and an older one not at all', async () => {
  const { bot, received } = await setUp();
  const older = { ...order('resume'), requestedAt: new Date(Date.now() - 60_000) };
  const pause = order('pause');
  await Promise.all([bot.command(pause), bot.command(pause), bot.command(pause)]);
  expect(await failureOf(bot.command(older))).toMatchObject({ code: 'superseded', isRetryable: false });
  await until(async () => received.length === 1, 5_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(received).toHaveLength(1);
  expect((await bot.readStatus('12')).state).toBe('paused');
});

test('a repeat has the same bytes, and a signature of its own time', async () => {
  await using venue = await startLoopbackVenue(({ body }) => ({
    status: 202,
    body: { request_id: JSON.parse(body).request_id },
  }));
  let at = new Date('2026-03-04T05:06:07.890Z');
  const bot = createTradingBot({ url: venue.url, secret: SECRET, timeoutMs: 500 }, { now: () => at });
  const pause = order('pause');
  await bot.command(pause);
  at = new Date(at.getTime() + 5_000);
  await bot.command(pause);
  const [first, second] = venue.requests.map(({ body, headers }) => ({
    body,
    signature: headers['copydesk-signature'],
  }));
  expect(second?.body).toBe(first?.body);
  expect(first?.signature).toMatch(/^t=1772600767,v1=[0-9a-f]{64}$/);
  expect(second?.signature).toMatch(/^t=1772600772,v1=[0-9a-f]{64}$/);
});

test('another secret is refused, an unknown pool is not found, and without a bot nothing is sent', async () => {
  const { simulated, bot, received } = await setUp();
  const other = createTradingBot({ url: simulated.url, secret: 'other', timeoutMs: 500 }, { now });
  expect(await failureOf(other.command(order('pause')))).toEqual({
    code: 'refused',
    isUncertain: false,
    isRetryable: false,
    retryAfterMs: null,
  });
  const late = () => new Date(Date.now() - 301_000);
  const behind = createTradingBot({ url: simulated.url, secret: SECRET, timeoutMs: 500 }, { now: late });
  expect(await failureOf(behind.readStatus('12'))).toMatchObject({ code: 'refused' });
  expect(await failureOf(bot.command(order('pause', '13')))).toMatchObject({ code: 'unknown_pool' });
  const none = createTradingBot({ timeoutMs: 500 }, { now });
  expect(await failureOf(none.command(order('pause')))).toMatchObject({ code: 'not_configured' });
  expect(received).toEqual([]);
});

test.each([
  ['hang', 'timeout', true],
  ['reset', 'unavailable', true],
  ['cut', 'unavailable', true],
  [{ status: 503, body: {} }, 'unavailable', true],
  [{ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: {} }, 'bad_response', true],
  [{ status: 200, body: { request_id: 'x' } }, 'bad_response', true],
  [{ status: 202, body: { request_id: 'of another command' } }, 'bad_response', true],
  [{ status: 202, body: '<html>' }, 'bad_response', true],
  [{ status: 202, body: 'x'.repeat(70_000) }, 'bad_response', true],
  [{ status: 400, body: { error: 'canary' } }, 'refused', false],
  [{ status: 429, headers: { 'retry-after': '7' }, body: {} }, 'rate_limited', false],
] as const)('a command answered by %j is %s, and is sent once', async (reply, code, isUncertain) => {
  await using venue = await startLoopbackVenue(() => reply);
  const bot = createTradingBot({ url: venue.url, secret: SECRET, timeoutMs: 200 }, { now });
  expect(await failureOf(bot.command(order('pause')))).toEqual({
    code,
    isUncertain,
    isRetryable: isUncertain || code === 'rate_limited',
    retryAfterMs: code === 'rate_limited' ? 7_000 : null,
  });
  expect(venue.requests).toHaveLength(1);
});

test('a bot may fail to acknowledge, to obey, and to close positions', async () => {
  const { bot, simulated, pools, received } = await setUp();
  simulated.behave('down');
  expect(await failureOf(bot.command(order('pause')))).toMatchObject({ code: 'unavailable' });
  simulated.behave('deaf');
  await bot.command(order('pause'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await bot.readStatus('12')).state).toBe('pausing');
  simulated.behave('leaves_positions');
  await bot.command(order('pause'));
  await until(async () => received.length === 1, 5_000);
  expect(pools.get('7').positions).toHaveLength(1);
  simulated.behave('silent');
  await bot.command(order('pause'));
  await until(async () => (await bot.readStatus('12')).state === 'paused', 5_000);
  expect(pools.get('7').positions).toHaveLength(0);
  expect(received).toHaveLength(1);
});

test('the examples of docs/trading-bot.md are signed as they say', () => {
  const page = readFileSync(new URL('../../../../../docs/trading-bot.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/(copydesk|trading-bot)-signature: (\S+)\n\n(\{.*\})/g)];
  expect(examples.map(([, from]) => from)).toEqual(['copydesk', 'trading-bot']);
  for (const [, from, signature, body] of examples) {
    const secret = `example-secret-of-${from === 'copydesk' ? 'copydesk' : 'the-bot'}`;
    const header = `${from}-signature`;
    const verify = createTimestampedHmac({ header, secrets: [secret] });
    expect(verify({ headers: { [header]: signature }, body: Buffer.from(body ?? '') })).not.toBeNull();
  }
});
