import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { type RunningTelegram, startTelegram } from '@copydesk/simulators/telegram';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createTelegram } from './create-telegram.ts';
import type { TelegramError } from './gateway.ts';

const TOKEN = '1000001:a-token-that-nobody-may-ever-read';
const OPEN = '100';
const BLOCKED = '200';

let telegram: RunningTelegram;
beforeAll(async () => {
  const states = new Map([
    [OPEN, 'open' as const],
    [BLOCKED, 'blocked' as const],
  ]);
  telegram = await startTelegram({ token: TOKEN, chats: { stateOf: (id) => states.get(id) ?? null } });
});
afterAll(() => telegram.close());
beforeEach(() => {
  telegram.faults.clear();
  telegram.outbox.reset();
});

const bot = (settings: { token?: string; apiUrl?: string } = {}) =>
  createTelegram({ token: TOKEN, apiUrl: telegram.url, timeoutMs: 300, ...settings });

async function failureOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => null,
    (thrown: TelegramError) => thrown,
  );
  expect(error?.name).toBe('TelegramError');
  // Everything that a log or a debugger could show of the error.
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(TOKEN.slice(8));
  const { code, isRetryable, retryAfterMs, detail } = error as TelegramError;
  return { code, isRetryable, retryAfterMs, detail };
}

test('a message arrives as it was written', async () => {
  const html = 'Pay <code>0xabc</code> &amp; &lt;b&gt;';
  const { messageId } = await bot().send({ chatId: OPEN, text: html });
  expect(telegram.outbox.list()).toMatchObject([
    { message_id: messageId, chat_id: OPEN, html, text: 'Pay 0xabc & <b>' },
  ]);
});

test('the address may end in a slash', async () => {
  await bot({ apiUrl: `${telegram.url}/` }).send({ chatId: OPEN, text: 'x' });
  expect(telegram.outbox.list()).toHaveLength(1);
});

test.each([
  ['an unknown chat', '300', 'x', 'chat_not_found', '400 Bad Request: chat not found'],
  ['one who blocked the bot', BLOCKED, 'x', 'blocked', '403 Forbidden: bot was blocked by the user'],
  ['markup that does not close', OPEN, '<b>x', 'refused', expect.stringContaining("can't parse entities")],
  ['an empty text', OPEN, ' ', 'refused', '400 Bad Request: message text is empty'],
  ['a text too long', OPEN, 'x'.repeat(4_097), 'refused', '400 Bad Request: message is too long'],
])('%s is not tried again', async (_, chatId, text, code, detail) => {
  expect(await failureOf(bot().send({ chatId, text }))).toEqual({
    code,
    detail,
    isRetryable: false,
    retryAfterMs: null,
  });
});

test('a wrong token is refused, and no token sends nothing', async () => {
  const wrong = bot({ token: '1000001:another' });
  expect(await failureOf(wrong.send({ chatId: OPEN, text: 'x' }))).toMatchObject({
    code: 'refused',
    isRetryable: false,
    detail: '401 Unauthorized',
  });
  const none = createTelegram({ apiUrl: telegram.url, timeoutMs: 300 });
  expect(await failureOf(none.send({ chatId: OPEN, text: 'x' }))).toMatchObject({
    code: 'not_configured',
    isRetryable: false,
  });
});

test("the error carries Telegram's retry time", async () => {
  telegram.faults.set({ kind: 'rate_limit', ms: 7_000 });
  expect(await failureOf(bot().send({ chatId: OPEN, text: 'x' }))).toEqual({
    code: 'rate_limited',
    isRetryable: true,
    retryAfterMs: 7_000,
    detail: '429 Too Many Requests: retry after 7',
  });
});

test.each(['down', 'timeout', 'malformed', 'server_error', 'lost_answer'] as const)(
  'a passing failure may be retried: %s',
  async (kind) => {
    telegram.faults.set({ kind });
    expect(await failureOf(bot().send({ chatId: OPEN, text: 'x' }))).toMatchObject({
      code: 'unavailable',
      isRetryable: true,
      retryAfterMs: null,
    });
  },
);

test.each<[string, RequestListener]>([
  [
    'repeats the address it was asked at',
    (request, response) =>
      response.end(JSON.stringify({ ok: false, error_code: 400, description: `no ${request.url}` })),
  ],
  ['answers with a page that repeats it', (request, response) => response.end(`<html>${request.url}</html>`)],
  ['answers JSON that is none of the Bot API', (_, response) => response.end('{}')],
  [
    'sends it elsewhere',
    (request, response) => response.writeHead(302, { location: `http://127.0.0.1:9${request.url}` }).end(),
  ],
])('the token stays out of the error when a server in between %s', async (_, answer) => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await failureOf(bot({ apiUrl: `http://127.0.0.1:${port}` }).send({ chatId: OPEN, text: 'x' }));
});

test('an unreachable address is no answer, and the error does not contain it', async () => {
  expect(
    await failureOf(bot({ apiUrl: 'http://127.0.0.1:9' }).send({ chatId: OPEN, text: 'x' })),
  ).toMatchObject({
    code: 'unavailable',
    detail: 'ECONNREFUSED',
  });
});
