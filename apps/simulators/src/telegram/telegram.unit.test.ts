import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createChats, telegramUserIdOf } from '../world/index.ts';
import { type RunningTelegram, startTelegram } from './index.ts';
import { parseHtml } from './parse-html.ts';

const TOKEN = '1000001:token';
const OPEN = telegramUserIdOf(1);
let clock: number;
let telegram: RunningTelegram;

beforeEach(async () => {
  clock = Date.UTC(2026, 2, 1);
  telegram = await startTelegram({ token: TOKEN, chats: createChats(100), now: () => clock });
  onTestFinished(() => telegram.close());
});

async function call(method: string, body?: object | URLSearchParams, token = TOKEN) {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(`${telegram.url}/bot${token}/${method}`, {
    method: body ? 'POST' : 'GET',
    body: isForm ? body : JSON.stringify(body),
    headers: body && !isForm ? { 'content-type': 'application/json' } : {},
  });
  const parsed = (await answer.json()) as { ok: boolean; error_code?: number; description?: string };
  expect(parsed.error_code ?? 200).toBe(answer.status);
  return { ...parsed, status: answer.status };
}
const send = (message: object) => call('sendMessage', { chat_id: OPEN, text: 'x', ...message });

test('takes JSON, forms and queries, and returns the sent message', async () => {
  expect(await send({ text: 'one' })).toMatchObject({ ok: true, result: { message_id: 1, text: 'one' } });
  await call('sendmessage', new URLSearchParams({ chat_id: OPEN, text: 'two' }));
  await call(`sendMessage?chat_id=${OPEN}&text=three`);
  expect(telegram.outbox.list().map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  expect(await call('getMe')).toMatchObject({ ok: true, result: { is_bot: true } });
});

test.each([
  [{ chat_id: undefined }, 400, 'chat_id is empty'],
  [{ chat_id: '999' }, 400, 'Bad Request: chat not found'],
  [{ chat_id: telegramUserIdOf(29) }, 403, 'bot was blocked by the user'],
  [{ chat_id: telegramUserIdOf(101) }, 400, 'chat not found'],
  [{ text: '' }, 400, 'message text is empty'],
  [{ text: 'x'.repeat(4_097) }, 400, 'message is too long'],
  [{ text: '<b>', parse_mode: 'HTML' }, 400, "can't parse entities"],
  [{ parse_mode: 'MarkdownV3' }, 400, 'unsupported parse_mode'],
])('refuses %o', async (message, status, description) => {
  expect(await send(message)).toMatchObject({
    ok: false,
    status,
    description: expect.stringContaining(description),
  });
  expect(telegram.outbox.list()).toEqual([]);
});

test('knows its own token and methods only', async () => {
  expect((await call('getMe', undefined, '1000001:other')).status).toBe(401);
  expect((await call('getMe', undefined, 'x')).status).toBe(404);
  expect((await call('sendDice')).status).toBe(404);
});

test('a chat takes a few at once and then one a second', async () => {
  const statuses = async (count: number) => {
    const answers = [];
    for (let nth = 0; nth < count; nth += 1) answers.push((await send({})).status);
    return answers;
  };
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  expect(await send({})).toMatchObject({ parameters: { retry_after: 1 } });
  clock += 1_000;
  expect(await statuses(2)).toEqual([200, 429]);
});

test('a bot writes 30 times a second', async () => {
  const statuses = [];
  for (let nth = 1; nth <= 28; nth += 1)
    statuses.push((await send({ chat_id: telegramUserIdOf(nth) })).status);
  for (let nth = 30; nth <= 33; nth += 1)
    statuses.push((await send({ chat_id: telegramUserIdOf(nth) })).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  clock += 1_000;
  expect((await send({ chat_id: telegramUserIdOf(40) })).status).toBe(200);
});

test.each([
  ['a &lt;b&gt; &amp; &quot;&#39;&#x41; &nbsp;', { text: 'a <b> & "\'A &nbsp;' }],
  ['<b>b <i>i</i></b> <a href="https://x.example">x</a><tg-spoiler>s</tg-spoiler>', { text: 'b i xs' }],
  ['<b>x</i>', { problem: expect.stringContaining('Unmatched end tag') }],
  ['x</b>', { problem: expect.stringContaining('Unexpected end tag') }],
  ['<b>x', { problem: expect.stringContaining("Can't find end tag") }],
  ['<h1>x</h1>', { problem: 'Unsupported start tag "h1" at byte offset 0' }],
  ['ü 1 < 2', { problem: expect.stringContaining('byte offset 5') }],
])('reads %s', (html, parsed) => {
  expect(parseHtml(html)).toEqual(parsed);
});

test('lists received messages, and applies faults', async () => {
  const control = (path: string, init?: RequestInit) =>
    fetch(`${telegram.url}/${path}`, init).then((r) => r.json());
  const fault = { kind: 'server_error', times: 1, chatId: OPEN };
  expect(
    await control('__faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    }),
  ).toEqual({ faults: [fault] });
  expect((await send({ chat_id: telegramUserIdOf(2) })).status).toBe(200);
  expect((await send({})).status).toBe(502);
  expect((await send({ text: 'arrives' })).status).toBe(200);
  expect(await control('__messages')).toMatchObject({ messages: [{ message_id: 1 }, { text: 'arrives' }] });
  await control('__messages', { method: 'DELETE' });
  expect(telegram.outbox.list()).toEqual([]);
  telegram.faults.set({ kind: 'down' });
  await expect(send({})).rejects.toThrow('fetch failed');
});
