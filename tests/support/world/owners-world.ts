import { telegramUserIdOf } from '@copydesk/simulators/world';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createPlatformBot } from '../../../apps/server/src/features/bots/platform-bot/platform-bot-loop.ts';
import { tellMembers } from '../../../apps/server/src/features/pools/flows/tell-members.ts';
import { createOpenBot } from '../../../apps/server/src/integrations/telegram/create-bot-client.ts';
import { createReadBot } from '../../../apps/server/src/integrations/telegram/read-bot.ts';
import { send } from '../send.ts';
import { until } from '../until.ts';
import { newAddress } from './addresses.ts';
import { BOT_TOKEN, createMessagingWorld, type MessagingWorld } from './messaging-world.ts';

export const BOT_ID = BOT_TOKEN.split(':')[0] as string;
export const confirm = (changeId: string) => `wallet:confirmed:${changeId}`;
export const notMe = (changeId: string) => `wallet:not_me:${changeId}`;

/** Chats that no other trader of the world has. */
let lastChat = 9_000;

/** A world for the tests of a file, whose owners of addresses answer by Telegram; its bots and senders end with each test. */
export function useOwners() {
  let world: MessagingWorld;
  let author: string;
  let other: string;
  beforeAll(async () => {
    world = await createMessagingWorld({ hasLimits: false });
    author = await world.signIn('super');
    other = await world.signIn('super-2');
  });
  afterAll(() => world?.close());
  afterEach(async () => {
    await Promise.all([...bots].map((bot) => bot.stop()));
    bots.clear();
    await world.stopSenders();
    world.telegram.faults.clear();
    world.telegram.setWebhook(BOT_TOKEN, '');
    await world.owner('DELETE FROM platform_bot_reading');
  });

  const bots = new Set<ReturnType<typeof createPlatformBot>>();
  const openBot = () => createOpenBot({ apiUrl: world.telegram.url, timeoutMs: 2_000, pollSeconds: 1 });

  /** The bot of a worker, whose environment has the token. */
  function workersBot(token: string | null = BOT_TOKEN) {
    const bot = createPlatformBot({
      db: world.db,
      token,
      openBot: openBot(),
      readBot: createReadBot({ apiUrl: world.telegram.url, timeoutMs: 2_000 }),
      hearOther: () => null,
      log: world.log,
      now: world.now,
    });
    bots.add(bot);
    return bot;
  }

  async function as(call: string, parts: Parameters<typeof send>[2] = {}, token = author) {
    const answer = await send(world.app, call, parts, token);
    return { status: answer.statusCode, body: answer.json() };
  }

  /** A trader who started the bot, and whose Telegram id is this old. */
  async function addOwner(idAgeDays = 31, language = 'en') {
    do lastChat += 1;
    while (lastChat % 29 === 0);
    const telegramUserId = telegramUserIdOf(lastChat);
    const id = await world.addTrader({ telegram_user_id: telegramUserId, language });
    await ageTelegram(id, idAgeDays);
    const person = world.telegram.person(BOT_TOKEN, { id: Number(telegramUserId) });
    person.write('/start');
    return { id, telegramUserId: Number(telegramUserId), person };
  }
  type Owner = Awaited<ReturnType<typeof addOwner>>;
  const ageTelegram = (traderId: string, days: number) =>
    world.owner(`UPDATE trader SET telegram_set_at = now() - make_interval(days => $2::int) WHERE id = $1`, [
      traderId,
      days,
    ]);

  async function changeAddress({ id }: Pick<Owner, 'id'>, address = newAddress(), by = author) {
    const answer = await as(
      'PATCH /api/traders/{id}',
      { params: { id }, body: { external_wallet_address: address } },
      by,
    );
    expect(answer.status).toBe(200);
    return { address, changeId: (await changeOf(id)).id };
  }
  const changeOf = async (traderId: string) => {
    const [row] = await world.owner<{
      id: string;
      released_by_id: string | null;
      released_by: string | null;
      is_held: boolean;
    }>(
      `SELECT id, released_by_id, released_by, app.is_held(released_at, changed_at, interval '24 hours') AS is_held
     FROM payout_address_change WHERE owner_kind = 'trader' AND owner_id = $1`,
      [traderId],
    );
    if (!row) throw new Error('the address has not changed');
    return row;
  };
  const wordOn = async (changeId: string) =>
    (
      await world.owner<{ kind: string }>('SELECT * FROM payout_address_word WHERE change_id = $1', [
        changeId,
      ])
    )[0];
  const waiting = async (changeId: string) => {
    const { body } = await as('GET /api/super-admin/payout-addresses', { query: { limit: '200' } }, other);
    return body.data.find((each: { change_id: string }) => each.change_id === changeId);
  };
  async function tell() {
    while (await tellMembers(world));
  }
  /** What the sender and the reader of a worker do until the person has this many messages. */
  async function untilReceived({ person }: Owner, count: number) {
    await until(async () => {
      world.advance(1_100);
      return person.received().length >= count;
    });
    return person.received();
  }
  const noEffect = async (owner: Owner, count: number) => {
    expect((await untilReceived(owner, count)).at(-1)?.text).toMatch(/no effect/);
  };

  /** An owner who was asked about a new address. */
  async function asked(owner?: Owner) {
    const found = owner ?? (await addOwner());
    await workersBot().turn();
    const before = found.person.received().length;
    const change = await changeAddress(found);
    await tell();
    world.startSender();
    const received = await untilReceived(found, before + 1);
    return { owner: found, ...change, question: received[before], count: before + 1 };
  }
  const disowned = async () => {
    const [row] = await world.owner<{ n: number }>(
      "SELECT coalesce(sum(count), 0)::int AS n FROM refused_attempt WHERE code = 'address_disowned'",
    );
    return row?.n as number;
  };

  return {
    get world() {
      return world;
    },
    get author() {
      return author;
    },
    get other() {
      return other;
    },
    openBot,
    workersBot,
    as,
    addOwner,
    ageTelegram,
    changeAddress,
    changeOf,
    wordOn,
    waiting,
    tell,
    untilReceived,
    noEffect,
    asked,
    disowned,
  };
}

export type Owner = Awaited<ReturnType<ReturnType<typeof useOwners>['addOwner']>>;
