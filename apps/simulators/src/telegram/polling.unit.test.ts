import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createChats } from '../world/index.ts';
import { type RunningTelegram, startTelegram } from './index.ts';

const TOKEN = '3000001:demo-of-a-community';
const PERSON = { id: 42, first_name: 'Ada', language_code: 'pl' };
let telegram: RunningTelegram;

beforeEach(async () => {
  telegram = await startTelegram({ token: '1000001:platform', chats: createChats(100) });
  onTestFinished(() => telegram.close());
});

async function call(method: string, body: object = {}, token = TOKEN) {
  const answer = await fetch(`${telegram.url}/bot${token}/${method}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return (await answer.json()) as { ok: boolean; error_code?: number; description?: string; result: never };
}
const ada = () => telegram.person(TOKEN, PERSON);
const keyboard = { inline_keyboard: [[{ text: 'Prices', callback_data: 'prices' }]] };

test('updates repeat until the bot asks for a later one', async () => {
  ada().write('/start plan_1');
  ada().write('hello');
  const first: { update_id: number; message: object }[] = (await call('getUpdates')).result;
  expect(first.map(({ message }) => message)).toMatchObject([
    {
      text: '/start plan_1',
      from: { id: 42, is_bot: false, language_code: 'pl' },
      chat: { id: 42, type: 'private' },
      entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    },
    { text: 'hello' },
  ]);
  expect((await call('getUpdates')).result).toEqual(first);
  expect((await call('getUpdates', { limit: 1 })).result).toEqual(first.slice(0, 1));
  const [, second] = first;
  expect((await call('getUpdates', { offset: second?.update_id })).result).toEqual([second]);
  expect((await call('getUpdates', { offset: (second?.update_id ?? 0) + 1 })).result).toEqual([]);
  expect((await call('getUpdates')).result).toEqual([]);
});

test('a poll waits for an update, up to its timeout', async () => {
  const begun = performance.now();
  const waiting = call('getUpdates', { timeout: 20 });
  await sleep(50);
  ada().write('hello');
  expect((await waiting).result).toMatchObject([{ message: { text: 'hello' } }]);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect((await call('getUpdates', { offset: 2_000_000_000, timeout: 1 })).result).toEqual([]);
});

test('of two polls at once the earlier is refused, and any poll while a webhook is set', async () => {
  const first = call('getUpdates', { timeout: 20 });
  await sleep(50);
  const second = call('getUpdates', { timeout: 20 });
  expect(await first).toMatchObject({
    error_code: 409,
    description: expect.stringMatching(/terminated by other getUpdates request/),
  });
  await call('setWebhook', { url: 'https://elsewhere.example/' });
  expect((await second).error_code).toBe(409);
  expect(await call('getWebhookInfo')).toMatchObject({ result: { url: 'https://elsewhere.example/' } });
  expect(await call('getUpdates')).toMatchObject({
    error_code: 409,
    description: expect.stringMatching(/webhook is active/),
  });
  ada().write('kept');
  expect((await call('deleteWebhook')).ok).toBe(true);
  expect((await call('getUpdates')).result).toMatchObject([{ message: { text: 'kept' } }]);
});

test('a button is pressed under the message that has it, and the press is answered once', async () => {
  ada().write('/start');
  await call('sendMessage', { chat_id: 42, text: 'Menu', reply_markup: keyboard });
  expect(() => ada().press('other')).toThrow(/no message/);
  ada().press('prices');
  const updates: { callback_query?: { id: string; data: string } }[] = (await call('getUpdates')).result;
  const press = updates[1]?.callback_query;
  expect(press).toMatchObject({ data: 'prices', from: { id: 42 }, message: { text: 'Menu' } });
  const answer = () => call('answerCallbackQuery', { callback_query_id: press?.id });
  expect((await answer()).ok).toBe(true);
  expect(await answer()).toMatchObject({ error_code: 400 });
  const long = { inline_keyboard: [[{ text: 'x', callback_data: 'x'.repeat(65) }]] };
  expect(await call('sendMessage', { chat_id: 42, text: 'x', reply_markup: long })).toMatchObject({
    description: 'Bad Request: BUTTON_DATA_INVALID',
  });
  const rows = (count: number, label: string) => ({
    inline_keyboard: Array.from({ length: count }, () => [{ text: label, callback_data: 'x' }]),
  });
  for (const many of [rows(101, 'x'), rows(60, 'ж'.repeat(90))])
    expect(await call('sendMessage', { chat_id: 42, text: 'x', reply_markup: many })).toMatchObject({
      description: 'Bad Request: REPLY_MARKUP_TOO_LONG',
    });
});

test('each bot has chats, updates and tokens of its own', async () => {
  const other = '3000002:demo-other';
  ada().write('hello');
  expect((await call('getUpdates', {}, other)).result).toEqual([]);
  expect(await call('sendMessage', { chat_id: 42, text: 'x' }, other)).toMatchObject({ error_code: 400 });
  ada().block();
  expect(await call('sendMessage', { chat_id: 42, text: 'x' })).toMatchObject({ error_code: 403 });
  telegram.revoke(TOKEN);
  expect(await call('getUpdates')).toMatchObject({ error_code: 401 });
  // Another token of the same bot.
  expect((await call('getUpdates', {}, '3000001:demo-next')).result).toHaveLength(1);
});

test('a picture is uploaded as a form', async () => {
  ada().write('/start');
  const photo = async (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.append('chat_id', '42');
    form.append('photo', new Blob([bytes]), 'code.png');
    form.append('caption', '<b>Pay</b>');
    form.append('parse_mode', 'HTML');
    form.append('reply_markup', JSON.stringify(keyboard));
    const answer = await fetch(`${telegram.url}/bot${TOKEN}/sendPhoto`, { method: 'POST', body: form });
    return answer.status;
  };
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00]);
  expect(await photo(png)).toBe(200);
  expect(await photo(Uint8Array.from([1, 2, 3]))).toBe(400);
  expect(ada().received()).toMatchObject([
    { text: 'Pay', keyboard: keyboard.inline_keyboard, photo: Buffer.from(png).toString('base64') },
  ]);
});

test('another program plays a person', async () => {
  await call('getMe');
  const act = (body: object) =>
    fetch(`${telegram.url}/__people`, {
      method: 'POST',
      body: JSON.stringify({ bot: 3_000_001, person: PERSON, ...body }),
      headers: { 'content-type': 'application/json' },
    });
  expect((await act({ text: '/start' })).status).toBe(200);
  await call('sendMessage', { chat_id: 42, text: 'Menu', reply_markup: keyboard });
  expect((await act({ press: 'nothing' })).status).toBe(409);
  expect(await (await act({ press: 'prices' })).json()).toMatchObject({ messages: [{ text: 'Menu' }] });
  const got = await fetch(`${telegram.url}/__people?bot=3000001&person=42`);
  expect(await got.json()).toMatchObject({ messages: [{ text: 'Menu' }] });
  expect((await act({})).status).toBe(400);
  expect((await act({ bot: 77, text: 'x' })).status).toBe(404);
  expect((await call('getUpdates')).result).toHaveLength(2);
});
