import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { send } from '../../../../../../tests/support/send.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../../tests/support/world/messaging-world.ts';
import { createOpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import { createReadBot } from '../../../integrations/telegram/read-bot.ts';
import { createPlatformBot } from './platform-bot-loop.ts';

/** A part of the tokens here, which nothing may reveal. */
const CANARY = 'a-secret-part-that-leaks';

let world: MessagingWorld;
let superAdmin: string;
beforeAll(async () => {
  world = await createMessagingWorld();
  superAdmin = await world.signIn('super');
});
afterAll(() => world?.close());
afterEach(async () => {
  world.telegram.faults.clear();
  await Promise.all([...bots].map((bot) => bot.stop()));
  bots.clear();
  for (const table of ['platform_bot_use', 'platform_bot_reading']) await world.owner(`DELETE FROM ${table}`);
});

async function as(call: string, parts: Parameters<typeof send>[2] = {}) {
  const answer = await send(world.app, call, parts, superAdmin);
  expect(answer.body).not.toContain(CANARY);
  const { data, error, message } = answer.json();
  return { status: answer.statusCode, data, error, message };
}
const read = async () => (await as('GET /api/platform-bot')).data;

const bots = new Set<ReturnType<typeof createPlatformBot>>();
/** The bot of a worker whose environment has a token. */
const workersBot = (token: string | null = BOT_TOKEN) => {
  const { db, log, now } = world;
  const bot = createPlatformBot({
    db,
    token,
    openBot: createOpenBot({ apiUrl: world.telegram.url, timeoutMs: 2_000, pollSeconds: 1 }),
    readBot: createReadBot({ apiUrl: world.telegram.url, timeoutMs: 2_000 }),
    hearOther: () => null,
    log,
    now,
  });
  bots.add(bot);
  return bot;
};

test('the screen knows the bot of the environment once a worker has asked Telegram about it', async () => {
  expect(await read()).toMatchObject({ in_use: null });
  await workersBot().turn();
  expect(await read()).toMatchObject({
    in_use: { telegram_id: '1000001', username: 'copydesk_demo_bot', problem: null },
  });
  await world.owner('DELETE FROM platform_bot_use');
  await workersBot(null).turn();
  expect(await read()).toMatchObject({ in_use: { telegram_id: null, problem: null } });
});

test('a token that an earlier version stored counts no more, and the log says so', async () => {
  const log = { ...world.log, error: vi.fn() };
  await world.owner(`INSERT INTO platform_bot (version, telegram_id, ciphertext, wrapped_key, master_key_id, changed_at,
    changed_by) VALUES (1, 2000501, '\\x00', '\\x00', 'k', now(), 'a super admin')`);
  const { db, now } = world;
  const parts = {
    db,
    now,
    openBot: createOpenBot({ apiUrl: world.telegram.url, timeoutMs: 2_000, pollSeconds: 1 }),
  };
  const readBot = createReadBot({ apiUrl: world.telegram.url, timeoutMs: 2_000 });
  const bot = createPlatformBot({
    ...parts,
    readBot,
    hearOther: () => null,
    log: log as never,
    token: null,
  });
  bots.add(bot);
  await bot.turn();
  expect(log.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('set TELEGRAM_BOT_TOKEN'));
  expect(await read()).toMatchObject({ in_use: { telegram_id: null } });
  await world.owner('DELETE FROM platform_bot');
});

test('what Telegram refuses or leaves unanswered is shown, and asked again', async () => {
  world.telegram.faults.set({ kind: 'down' });
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
  await workersBot(`2000502:${CANARY}-unknown`).turn();
  expect((await read()).in_use.problem).toBe('refused');
});

test("a community's bot is not the platform's", async () => {
  const communities = (await as('GET /api/communities')).data.filter(
    ({ is_archived }: { is_archived: boolean }) => !is_archived,
  );
  await workersBot().turn();
  const body = { community_id: communities[0].id, token: BOT_TOKEN };
  expect(await as('POST /api/exchange-bot', { body })).toMatchObject({
    status: 409,
    error: 'bot_taken',
    message: 'This bot is the one of the platform',
  });
});
