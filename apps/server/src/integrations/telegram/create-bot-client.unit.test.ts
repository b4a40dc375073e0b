import { inspect } from 'node:util';
import { type RunningTelegram, startTelegram } from '@copydesk/simulators/telegram';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { drawQrCode } from '../../features/bots/telegram/qr-picture.ts';
import { createOpenBot } from './create-bot-client.ts';
import type { UpdatesError } from './gateway.ts';

const TOKEN = '2000001:demo-a-token-that-may-never-be-read';
const NEVER = new AbortController().signal;
let telegram: RunningTelegram;

beforeEach(async () => {
  telegram = await startTelegram({ token: '1000001:platform', chats: { stateOf: () => null } });
  onTestFinished(() => telegram.close());
});

const open = (token = TOKEN) =>
  createOpenBot({ apiUrl: telegram.url, timeoutMs: 500, pollSeconds: 1 })(token);
const ada = () => telegram.person(TOKEN, { id: 42 });

async function problemOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: UpdatesError) => thrown,
  );
  expect(error?.name).toBe('UpdatesError');
  // Everything that a log or a debugger could show of the error.
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(TOKEN.slice(8));
  return [error?.problem, error?.retryAfterMs];
}

test('updates are read from an offset on, and an empty poll ends', async () => {
  ada().write('one');
  ada().write('two');
  const [first, second] = await open().getUpdates(null, NEVER);
  expect(first?.message?.text).toBe('one');
  expect(await open().getUpdates((first?.update_id ?? 0) + 1, NEVER)).toEqual([second]);
  expect(await open().getUpdates((second?.update_id ?? 0) + 1, NEVER)).toEqual([]);
});

test('a poll is given up at once', async () => {
  const giving = new AbortController();
  const begunAt = performance.now();
  const polling = createOpenBot({ apiUrl: telegram.url, timeoutMs: 500, pollSeconds: 20 })(TOKEN).getUpdates(
    null,
    giving.signal,
  );
  setTimeout(() => giving.abort(), 50);
  expect(await problemOf(polling)).toEqual(['unavailable', null]);
  expect(performance.now() - begunAt).toBeLessThan(5_000);
});

test('a message has buttons, and a picture its text', async () => {
  ada().write('/start');
  const message = { chatId: '42', text: 'Pay <code>1</code>', keyboard: [[{ text: 'Menu', data: 'menu' }]] };
  await open().send({ ...message, png: null });
  await open().send({ ...message, png: await drawQrCode('0xabc') });
  const buttons = [[{ text: 'Menu', callback_data: 'menu' }]];
  expect(ada().received()).toMatchObject([
    { text: 'Pay 1', keyboard: buttons },
    { text: 'Pay 1', keyboard: buttons, photo: expect.stringMatching(/^iVBORw0KGgo/) },
  ]);
  ada().press('menu');
  const press = (await open().getUpdates(null, NEVER)).at(-1)?.callback_query;
  await open().answerPress(press?.id ?? '');
  await expect(open().answerPress(press?.id ?? '')).rejects.toThrow('refused');
});

test.each([
  ['server_error', ['unavailable', null]],
  ['down', ['unavailable', null]],
  ['malformed', ['unavailable', null]],
  ['rate_limit', ['unavailable', 1_000]],
] as const)('%s of Telegram is a problem that passes', async (kind, expected) => {
  telegram.faults.set({ kind });
  expect(await problemOf(open().getUpdates(null, NEVER))).toEqual(expected);
});

test('a refused token, a webhook and another reader are different problems', async () => {
  const polling = problemOf(open().getUpdates(null, NEVER));
  await new Promise((resolve) => setTimeout(resolve, 100));
  await open().getUpdates(null, NEVER);
  expect(await polling).toEqual(['other_reader', null]);
  telegram.setWebhook(TOKEN, 'https://elsewhere.example/');
  expect(await problemOf(open().getUpdates(null, NEVER))).toEqual(['webhook', null]);
  await open().deleteWebhook();
  expect(await open().getUpdates(null, NEVER)).toEqual([]);
  telegram.revoke(TOKEN);
  expect(await problemOf(open().getUpdates(null, NEVER))).toEqual(['refused', null]);
});
