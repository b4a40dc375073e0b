import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import { createTestApp } from '../../../../../../tests/support/test-app.ts';
import { KEYRING, ROTATED } from '../../../../../../tests/support/test-keys.ts';
import { until } from '../../../../../../tests/support/until.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../../tests/support/world/messaging-world.ts';
import { createOpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import { createReadBot } from '../../../integrations/telegram/read-bot.ts';
import { rotateMasterKey } from '../../../platform/secrets/rotate-master-key.ts';
import { SEALED_PLATFORM_BOT } from './platform-bot-box.ts';
import { createPlatformBot } from './platform-bot-loop.ts';

/** A part of the tokens here, which nothing may reveal. */
const CANARY = 'a-secret-part-that-leaks';
const OTHER = `2000501:demo-${CANARY}`;

let world: MessagingWorld;
let superAdmin: string;
beforeAll(async () => {
  world = await createMessagingWorld();
  superAdmin = await world.signIn('super');
});
afterAll(() => world?.close());
afterEach(async () => {
  world.telegram.faults.clear();
  await world.stopSenders();
  await Promise.all([...bots].map((bot) => bot.stop()));
  bots.clear();
  for (const table of ['platform_bot_use', 'platform_bot', 'platform_bot_reading'])
    await world.owner(`DELETE FROM ${table}`);
});

async function as(call: string, parts: Parameters<typeof send>[2] = {}) {
  const answer = await send(world.app, call, parts, superAdmin);
  expect(answer.body).not.toContain(CANARY);
  const { data, error, message } = answer.json();
  return { status: answer.statusCode, data, error, message };
}
const read = async () => (await as('GET /api/platform-bot')).data;
const put = (token: string) => as('PUT /api/platform-bot', { body: { token } });

const bots = new Set<ReturnType<typeof createPlatformBot>>();
/** The bot of a worker whose environment has a token. */
const workersBot = ({
  token = BOT_TOKEN,
  isLocked = false,
}: {
  token?: string | null;
  isLocked?: boolean;
} = {}) => {
  const { db, log, now } = world;
  const bot = createPlatformBot({
    db,
    keyring: KEYRING,
    environmentToken: token,
    open: world.bot,
    openBot: createOpenBot({ apiUrl: world.telegram.url, timeoutMs: 2_000, pollSeconds: 1 }),
    isLocked,
    readBot: createReadBot({ apiUrl: world.telegram.url, timeoutMs: 2_000 }),
    log,
    now,
  });
  bots.add(bot);
  return bot;
};

test('the screen knows the bot of the environment once a worker has asked Telegram about it', async () => {
  expect(await read()).toMatchObject({ in_use: null, stored_telegram_id: null, is_in_effect: false });
  await workersBot().turn();
  expect(await read()).toMatchObject({
    in_use: { source: 'environment', telegram_id: '1000001', username: 'copydesk_demo_bot', problem: null },
    is_in_effect: true,
    changed_at: null,
  });
  await world.owner('DELETE FROM platform_bot_use');
  await workersBot({ token: null }).turn();
  expect(await read()).toMatchObject({ in_use: { source: 'none', telegram_id: null, problem: null } });
});

test('a stored token counts from the next turn of the worker on, and a deleted one no longer', async () => {
  const bot = workersBot();
  await bot.turn();
  const stored = await put(OTHER);
  expect(stored).toMatchObject({ status: 200, data: { stored_telegram_id: '2000501', is_in_effect: false } });
  await bot.turn();
  expect(await read()).toMatchObject({
    is_in_effect: true,
    in_use: { source: 'console', telegram_id: '2000501', username: 'demo_2000501_bot' },
  });
  // People have not started this bot.
  await expect(bot.gateway.send({ chatId: '5001', text: 'x' })).rejects.toMatchObject({
    code: 'chat_not_found',
  });
  expect((await as('DELETE /api/platform-bot')).data).toMatchObject({
    stored_telegram_id: null,
    is_in_effect: false,
  });
  await bot.turn();
  expect(await read()).toMatchObject({ is_in_effect: true, in_use: { source: 'environment' } });
  expect((await as('DELETE /api/platform-bot')).status).toBe(404);
  const entries = await world.owner(
    "SELECT before, after FROM audit_entry WHERE action = 'platform_bot.changed' ORDER BY seq",
  );
  expect(entries).toEqual([
    { before: { telegram_id: null }, after: { telegram_id: '2000501', username: 'demo_2000501_bot' } },
    { before: { telegram_id: '2000501' }, after: { telegram_id: null } },
  ]);
  expect(
    JSON.stringify(await world.owner('SELECT row_to_json(b)::text AS row FROM platform_bot b')),
  ).not.toContain(CANARY);
});

test('messages are sent with the bot that was stored', async () => {
  // The environment has none: only the stored token can have sent the message.
  const bot = workersBot({ token: null });
  world.startSender({ telegram: bot.gateway });
  const traderId = await world.addTrader();
  const [before] = await world.queue([traderId]);
  await until(async () => (await world.statesOf([before as string])).failed === 1);
  expect((await put(BOT_TOKEN)).status).toBe(200);
  await bot.turn();
  const [after] = await world.queue([traderId], { dedupeKey: 'later' });
  await until(async () => (await world.statesOf([after as string])).sent === 1);
});

test('what Telegram refuses is not stored, and a later refusal is shown', async () => {
  expect(await put(`2000502:${CANARY}-unknown`)).toMatchObject({ status: 422, error: 'bot_refused' });
  world.telegram.faults.set({ kind: 'down' });
  expect(await put(OTHER)).toMatchObject({ status: 503, error: 'telegram_unavailable' });
  const bot = workersBot();
  await bot.turn();
  expect(await read()).toMatchObject({ in_use: { problem: 'unavailable', username: null } });
  world.telegram.faults.clear();
  await bot.turn();
  // It waits a minute before it asks again.
  expect((await read()).in_use.problem).toBe('unavailable');
  world.advance(61_000);
  await bot.turn();
  expect((await read()).in_use.problem).toBeNull();
});

test("a community's bot is not the platform's, and the other way round", async () => {
  const communities = (await as('GET /api/communities')).data.filter(
    ({ is_archived }: { is_archived: boolean }) => !is_archived,
  );
  const connect = (index: number, token: string) =>
    as('POST /api/exchange-bot', { body: { community_id: communities[index].id, token } });
  expect((await connect(0, OTHER)).status).toBe(201);
  expect(await put(OTHER)).toMatchObject({ status: 409, error: 'bot_taken' });
  await workersBot().turn();
  expect(await connect(1, BOT_TOKEN)).toMatchObject({
    status: 409,
    error: 'bot_taken',
    message: 'This bot is the one of the platform',
  });
});

test('a locked bot is that of the environment, whatever is stored', async () => {
  await put('2000503:demo-of-the-platform-and-stored');
  const bot = workersBot({ isLocked: true });
  await bot.turn();
  expect(await read()).toMatchObject({ in_use: { source: 'environment', telegram_id: '1000001' } });
  const locked = await createTestApp({ env: { LOCKED_SETTINGS: 'telegram_bot' } });
  onTestFinished(() => locked.close());
  const answer = await send(
    locked.app,
    'PUT /api/platform-bot',
    { body: { token: OTHER } },
    await locked.signIn('super'),
  );
  expect(answer.json()).toMatchObject({ error: 'setting_locked' });
});

test('the token survives a change of the master key, and an unreadable one is shown', async () => {
  await put('2000504:demo-of-the-platform-and-stored');
  const all = [SEALED_PLATFORM_BOT];
  expect(await rotateMasterKey(world.db, ROTATED.there, all)).toEqual({ rewrapped: 1 });
  await workersBot().turn();
  expect(await read()).toMatchObject({ in_use: { source: 'console', problem: 'unreadable' } });
  await rotateMasterKey(world.db, ROTATED.back, all);
  await workersBot().turn();
  expect(await read()).toMatchObject({ in_use: { telegram_id: '2000504', problem: null } });
});
