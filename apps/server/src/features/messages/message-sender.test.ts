import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { longTest } from '../../../../../tests/support/long-test.ts';
import { until } from '../../../../../tests/support/until.ts';
import {
  BOT_TOKEN,
  createMessagingWorld,
  type MessagingWorld,
} from '../../../../../tests/support/world/messaging-world.ts';
import { createBotPace } from '../../core/outbox/bot-pace.ts';
import { MESSAGES, sendMessage } from '../../core/outbox/send-message.ts';
import { WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { type ClaimedMessage, claimMessages } from './message-delivery.store.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let world: MessagingWorld;
beforeAll(async () => {
  world = await createMessagingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  await world.owner('DELETE FROM message');
  world.telegram.faults.clear();
  world.telegram.outbox.reset();
  world.advance(60 * SECOND); // whatever was limited or paused before
});
afterEach(() => world.stopSenders());

const traders = (count: number) => Promise.all(Array.from({ length: count }, () => world.addTrader()));
const arrived = () => world.telegram.outbox.list();
const allSent = (ids: readonly string[]) => async () => (await world.statesOf(ids)).sent === ids.length;
/** How often each text arrived in each chat. */
const copies = () => {
  const counts = new Map<string, number>();
  for (const { chat_id, text } of arrived()) {
    const key = `${chat_id} ${text}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()];
};

test('a queued message reaches its trader, and is stored with its Telegram id', async () => {
  const traderId = await world.addTrader({ language: 'pl' });
  world.startSender();
  const ids = await world.queue([traderId]);
  await until(allSent(ids));
  const [message] = await world.messagesOf(traderId);
  expect(message).toMatchObject({ state: 'sent', attempts: 1, problem: null, requested_by: 'worker' });
  expect(arrived()).toMatchObject([
    { message_id: Number(message?.telegram_message_id), html: message?.text },
  ]);
  expect(arrived()[0]?.text).toContain('Ada Berg');
});

longTest(
  'after an hour without Telegram every message arrives, once, and in its order in each chat',
  {
    timeout: 120_000,
  },
  async () => {
    const [first, ...others] = await traders(20);
    world.telegram.faults.set({ kind: 'down' });
    world.startSender();
    const ids = await world.queue([first as string, ...others]);
    await world.live(HOUR / 2, 20 * SECOND);
    const third = 10n ** 18n;
    for (const nth of [2n, 3n])
      ids.push(
        ...(await world.queue([first as string], {
          facts: {
            amountUnits: nth * third,
            outstandingUnits: 0n,
            offPlatformUnits: 0n,
            invoiceCount: 1,
            dueAt: null,
            paymentAddress: null,
          },
        })),
      );
    await world.live(HOUR / 2, 20 * SECOND);
    expect(await world.statesOf(ids)).toEqual({ queued: ids.length });
    expect(arrived()).toEqual([]);
    const [{ attempts, problems }] = (await world.owner<{ attempts: number; problems: string[] }>(
      'SELECT sum(attempts)::int AS attempts, array_agg(DISTINCT problem) AS problems FROM message WHERE attempts > 0',
    )) as [{ attempts: number; problems: string[] }];
    expect(problems).toEqual(['unavailable']);
    // One message is tried now and then for all of them: none used up its patience.
    expect(attempts).toBeGreaterThan(50);
    expect(attempts).toBeLessThan(300);

    world.telegram.faults.clear();
    await world.live(6 * 60 * SECOND, 10 * SECOND);
    expect(await world.statesOf(ids)).toEqual({ sent: ids.length });
    expect(arrived()).toHaveLength(ids.length);
    expect(copies()).toEqual(ids.map(() => 1));
    const chat = (
      await world.owner<{ telegram_user_id: string }>('SELECT telegram_user_id FROM trader WHERE id = $1', [
        first,
      ])
    )[0]?.telegram_user_id;
    const inChat = arrived().filter(({ chat_id }) => chat_id === chat);
    expect(inChat.map(({ text }) => /(\d)\.00 USDT/.exec(text)?.[1])).toEqual(['1', '2', '3']);
  },
);

test('asked to wait, the bot sends nothing until the time is over', async () => {
  const [first, ...others] = await traders(4);
  world.telegram.faults.set({ kind: 'rate_limit', ms: HOUR, times: 1 });
  world.startSender();
  const ids = await world.queue([first as string]);
  await until(async () => (await world.messagesOf(first as string))[0]?.problem === 'rate_limited');
  ids.push(...(await world.queue(others)));
  // Half of the time: the clock goes on by itself meanwhile, for as long as a busy machine takes.
  world.advance(HOUR / 2);
  await sleep(300);
  expect(arrived()).toEqual([]);
  world.advance(HOUR / 2);
  await until(allSent(ids));
  expect(copies()).toEqual([1, 1, 1, 1]);
});

test('a message that was taken before the bot was asked to wait is put off, and arrives afterwards', async () => {
  const ids = await world.queue(await traders(1));
  const { db, log } = world;
  const now = () => new Date(world.now());
  const pace = createBotPace({ perSecond: 25, atOnce: 16, now: world.now });
  const { claimed } = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    claimMessages(tx, { at: now(), limit: 5, leaseMs: HOUR }),
  );
  pace.pause(HOUR);
  const [message] = claimed as [ClaimedMessage];
  await sendMessage({ db, actor: WORKER_ACTOR, rows: MESSAGES, pace, log, now }, message, () => {
    throw new Error('sent all the same');
  });
  world.startSender();
  await sleep(200);
  expect(await world.statesOf(ids)).toEqual({ queued: 1 });
  world.advance(HOUR);
  await until(allSent(ids));
  expect(copies()).toEqual([1]);
});

test('one chat gets a message a second, everybody together as many as Telegram takes', {
  timeout: 60_000,
}, async () => {
  const many = await traders(70);
  const ids = [
    ...(await world.queue(many)),
    ...(await world.queue(many.slice(0, 1))),
    ...(await world.queue(many.slice(0, 1))),
  ];
  const begunAt = Date.now();
  world.startSender();
  await until(allSent(ids));
  expect(Date.now() - begunAt).toBeLessThan(30_000);
  const [{ attempts }] = (await world.owner<{ attempts: number }>(
    'SELECT max(attempts)::int AS attempts FROM message',
  )) as [{ attempts: number }];
  expect(attempts).toBe(1); // the simulator never said 429
  const inChat = arrived()
    .filter(({ chat_id }, _, all) => all.filter((other) => other.chat_id === chat_id).length > 1)
    .map(({ at }) => at);
  expect(inChat).toHaveLength(3);
  for (const [nth, at] of inChat.entries())
    if (nth > 0) expect(at - (inChat[nth - 1] as number)).toBeGreaterThanOrEqual(1_000);
});

test('an answer that is lost costs a second copy, and never the message', async () => {
  const [traderId] = await traders(1);
  world.telegram.faults.set({ kind: 'lost_answer', times: 1 });
  world.startSender();
  const ids = await world.queue([traderId as string]);
  await until(async () => (await world.messagesOf(traderId as string))[0]?.attempts === 1);
  world.advance(3 * SECOND);
  await until(allSent(ids));
  expect(copies()).toEqual([2]);
});

test('a message is given up after a day of failures, with the reason', { timeout: 60_000 }, async () => {
  const [traderId] = await traders(1);
  const ids = await world.queue([traderId as string]);
  world.telegram.faults.set({ kind: 'server_error' });
  await world.owner('UPDATE message SET attempts = 200');
  world.startSender();
  await until(async () => (await world.messagesOf(traderId as string))[0]?.attempts === 201);
  expect(await world.statesOf(ids)).toEqual({ queued: 1 });
  await world.owner('UPDATE message SET attempts = 400, due_at = now()');
  world.advance(6 * 60 * SECOND);
  await until(async () => (await world.statesOf(ids)).failed === 1);
  expect(await world.messagesOf(traderId as string)).toMatchObject([
    { problem: 'unavailable', problem_detail: '502 Bad Gateway' },
  ]);
});

test('without a token messages fail where everybody sees it', async () => {
  const [traderId] = await traders(1);
  const ids = await world.queue([traderId as string]);
  world.startSender({ telegram: world.bot(null) });
  await until(async () => (await world.statesOf(ids)).failed === 1);
  expect(await world.messagesOf(traderId as string)).toMatchObject([
    { problem: 'not_configured', attempts: 1 },
  ]);
});

test('the token is in no log and no column', async () => {
  const waiting = await traders(3);
  for (const [nth, kind] of (['down', 'malformed', 'server_error'] as const).entries()) {
    world.telegram.faults.clear();
    world.telegram.faults.set({ kind });
    const sender = world.startSender();
    const [id] = await world.queue([waiting[nth] as string]);
    await until(async () => {
      const rows = await world.owner<{ attempts: number }>('SELECT attempts FROM message WHERE id = $1', [
        id,
      ]);
      return (rows[0]?.attempts ?? 0) > 0;
    });
    await sender.stop();
  }
  const told = await world.owner<{ text: string }>(
    "SELECT m::text AS text FROM message m WHERE problem = 'unavailable'",
  );
  expect(told).toHaveLength(3);
  const secret = BOT_TOKEN.split(':')[1] as string;
  expect([...world.logged, ...told.map(({ text }) => text)].join('')).not.toContain(secret);
});
