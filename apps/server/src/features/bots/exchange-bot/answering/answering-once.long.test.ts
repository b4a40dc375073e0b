import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../../../../tests/support/until.ts';
import {
  type BotWorld,
  CANARY,
  createBotWorld,
  tokenOf,
} from '../../../../../../../tests/support/world/bot-world.ts';
import { DEATHS, mortal } from '../../../../../../../tests/support/world/mortal-worker.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { advanceUpdate, pruneHandledUpdates } from './advance-update.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';

const SECOND = 1_000;

let world: BotWorld;
beforeAll(async () => {
  world = await createBotWorld();
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.stopWorkers();
  world.telegram.faults.clear();
  expect(world.logged.join('\n')).not.toContain(CANARY);
});

const botNow = async () =>
  (await world.as('GET /api/exchange-bot/{id}', { params: { id: world.bot.id } })).data;
const orders = async (telegramUserId: number) =>
  world.owner<{ is_open: boolean }>(
    `SELECT s.cancelled_because IS NULL AS is_open FROM exchange_bot_sale s JOIN trader t ON t.id = s.trader_id
     WHERE t.telegram_user_id = $1`,
    [String(telegramUserId)],
  );

/** The leases of a worker that is gone, on the clock of the database; and due times, which move with them, on ours. */
async function endLeases(): Promise<void> {
  world.advance(61 * SECOND);
  await world.owner('UPDATE exchange_bot_reading SET leased_until = now() WHERE leased_until IS NOT NULL');
  await world.owner('UPDATE exchange_bot_message SET leased_until = now() WHERE leased_until IS NOT NULL');
}

describe('a worker that dies', () => {
  test.each(DEATHS)('%s leaves an order that is made once', async (death) => {
    const month = world.planId('One month');
    const ada = world.person();
    world.startWorker();
    await ada.does((acting) => acting.write('/start'));
    await ada.does((acting) => acting.press('prices'));
    await ada.does((acting) => acting.press(`plan:${month}`));
    await world.stopWorkers();

    ada.press(`order:${month}`);
    const before = ada.received().length;
    const dying = mortal(death, { db: world.db, openBot: world.openBot });
    world.startDoomed(dying.deps);
    await dying.whenDead;
    await endLeases();
    world.startWorker();
    const invoices = () => ada.received().slice(before);
    await until(async () => {
      const [row] = await world.owner<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM exchange_bot_message WHERE state = 'queued'",
      );
      return invoices().length > 0 && row?.waiting === 0;
    });
    await sleep(200);
    expect(await orders(ada.id)).toEqual([{ is_open: true }]);
    expect(new Set(invoices().map(({ text }) => text)).size).toBe(1);
    // Telegram has no keys against repetition: a message whose sending was not recorded is sent again.
    const mayRepeat = ['after sending', 'before recording', 'at the end of recording'].includes(death);
    expect(invoices()).toHaveLength(mayRepeat ? 2 : 1);
  });
});

test('two workers never answer twice, and share the bots', async () => {
  world.startWorker();
  world.startWorker();
  const people = Array.from({ length: 40 }, () => world.person());
  for (const person of people) person.write('/start');
  await until(async () => {
    world.advance(SECOND);
    return people.every((person) => person.received().length > 0);
  });
  await sleep(300);
  expect(people.map((person) => person.received().length)).toEqual(people.map(() => 1));
});

test('a lock that one chat waits for delays no other, and nothing is answered twice', async () => {
  const [slow, other, late] = [world.person(), world.person(), world.person()];
  world.startWorker();
  await slow.does((acting) => acting.write('/start'));
  const lock = new pg.Client(world.ownerUrl);
  await lock.connect();
  try {
    await lock.query("BEGIN; SELECT set_config('copydesk.scope', 'all', true)");
    await lock.query('SELECT FROM exchange_bot_chat WHERE telegram_user_id = $1 FOR UPDATE', [slow.id]);
    slow.write('one');
    slow.press('prices');
    other.write('/start');
    await until(async () => other.received().length === 1);
    // Also those who write while the lock lasts.
    late.write('/start');
    await until(async () => late.received().length === 1);
    expect(slow.received().map(({ text }) => text)).toEqual([expect.stringContaining('Welcome')]);
    // What comes after the update that waits is handled, and not confirmed.
    const [reading] = await world.owner<{ gap: boolean }>(
      `SELECT count(*) FILTER (WHERE u.update_id > r.last_update_id) > 1 AS gap
       FROM exchange_bot_reading r JOIN exchange_bot_handled_update u USING (bot_id, telegram_id)`,
    );
    expect(reading).toEqual({ gap: true });
  } finally {
    await lock.query('ROLLBACK');
    await lock.end();
  }
  await until(async () => {
    world.advance(SECOND);
    return slow.received().length === 3;
  });
  expect(slow.received().map(({ text }) => text)).toEqual([
    expect.stringContaining('Welcome'),
    'What would you like to do?',
    'Choose a plan:',
  ]);
  await sleep(300);
  expect([slow, other, late].map((person) => person.received().length)).toEqual([3, 1, 1]);
});

test('the numbers of handled updates are kept for longer than Telegram repeats them', async () => {
  const count = async () => (await world.owner('SELECT FROM exchange_bot_handled_update')).length;
  const kept = await count();
  expect(kept).toBeGreaterThan(0);
  const after = (days: number) => () => new Date(world.now().getTime() + days * 24 * 3_600 * SECOND);
  expect(await pruneHandledUpdates({ db: world.db, now: after(1) })).toBe(0);
  expect(await pruneHandledUpdates({ db: world.db, now: after(3) })).toBe(kept);
  expect(await count()).toBe(0);
});

test('a worker that has stalled may no longer handle what it has read', async () => {
  let goOn = () => {};
  const stalled = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hasRead = false;
  world.startWorker({
    // Neither renews its lease nor handles anything until it goes on.
    lookEveryMs: 600_000,
    openBot: (token) => {
      const client = world.openBot(token);
      return {
        ...client,
        async getUpdates(offset, signal) {
          const updates = await client.getUpdates(offset, signal);
          if (updates.length > 0 && !hasRead) {
            hasRead = true;
            await stalled;
          }
          return updates;
        },
      };
    },
  });
  const ada = world.person();
  await until(async () => (await botNow()).read_at !== null);
  ada.write('/start');
  await until(async () => hasRead);
  await endLeases();
  world.startWorker();
  await until(async () => ada.received().length === 1);
  goOn();
  ada.write('hello');
  await until(async () => {
    world.advance(SECOND);
    return ada.received().length === 2;
  });
  await sleep(300);
  expect(ada.received()).toHaveLength(2);
});

test('the updates of a bot are handled under its lease only', async () => {
  const workerId = randomUUID();
  const worker = world.startWorker({ workerId });
  await until(async () => {
    const [reading] = await world.owner<{ answered_by: string | null }>(
      'SELECT answered_by FROM exchange_bot_reading WHERE bot_id = $1',
      [world.bot.id],
    );
    return reading?.answered_by === workerId;
  });
  const [lease] = await world.owner<{ number: string; last: string }>(
    'SELECT lease_number::text AS number, coalesce(last_update_id, 0)::text AS last FROM exchange_bot_reading',
  );
  const last = Number(lease?.last);
  const advance = (held: { workerId: string; leaseNumber: string }, updateId: number) =>
    world.db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
      const bot = await advanceUpdate(tx, { botId: world.bot.id, ...held }, updateId, world.now());
      return typeof bot === 'string' ? bot : 'handled';
    });
  const ours = { workerId, leaseNumber: lease?.number ?? '' };
  expect(await advance({ ...ours, workerId: randomUUID() }, last + 1)).toBe('lost');
  expect(await advance({ ...ours, leaseNumber: String(Number(ours.leaseNumber) - 1) }, last + 1)).toBe(
    'lost',
  );
  expect(await advance(ours, last)).toBe('repeated');
  await world.owner('UPDATE exchange_bot SET is_active = false');
  expect(await advance(ours, last + 1)).toBe('lost');
  await world.owner('UPDATE exchange_bot SET is_active = true');
  // Telegram begins with another number after a week of silence.
  world.advance(6.5 * 24 * 3_600 * SECOND);
  await worker.stop();
  world.startWorker();
  await until(async () => {
    const [reading] = await world.owner<{ last: string | null }>(
      'SELECT last_update_id AS last FROM exchange_bot_reading WHERE answered_by IS NOT NULL',
    );
    return reading?.last === null;
  });
});

test('a worker stops within seconds, although Telegram holds its request, and gives its bots back', async () => {
  const worker = world.startWorker();
  const ada = world.person();
  await ada.does((acting) => acting.write('/start'));
  const begunAt = performance.now();
  await worker.stop();
  // Before the request would have ended, which Telegram holds for five seconds.
  expect(performance.now() - begunAt).toBeLessThan(4.5 * SECOND);
  const [reading] = await world.owner('SELECT answered_by, leased_until FROM exchange_bot_reading');
  expect(reading).toEqual({ answered_by: null, leased_until: null });
});

describe('the screen shows', () => {
  test('a refused token, after which reading waits for another one', async () => {
    world.startWorker();
    const ada = world.person();
    await ada.does((acting) => acting.write('/start'));
    expect(await botNow()).toMatchObject({ reading_problem: null, read_at: expect.any(String) });
    // The same bot under another token, as after /revoke at BotFather.
    world.telegram.revoke(world.bot.token);
    ada.write('hello');
    const next = tokenOf(2_000_100, 1);
    world.telegram.addBot(next);
    await until(async () => (await botNow()).reading_problem === 'refused');
    const refusals = world.logged.filter((line) => line.includes('"problem":"refused"')).length;
    await sleep(500);
    expect(world.logged.filter((line) => line.includes('"problem":"refused"'))).toHaveLength(refusals);
    expect((await world.replaceToken(next)).status).toBe(200);
    const [answer] = await ada.does(() => {});
    expect(answer?.text).toBe('What would you like to do?');
    await until(async () => (await botNow()).reading_problem === null);
  });

  test('a webhook of another program, which is removed', async () => {
    const token = tokenOf(2_000_100, 1);
    world.startWorker();
    const ada = world.person('en', token);
    await ada.does((acting) => acting.write('/start'));
    world.telegram.setWebhook(token, 'https://elsewhere.example/hook');
    const [answer] = await ada.does((acting) => acting.write('hello'));
    expect(answer?.text).toBe('What would you like to do?');
    expect(world.logged.some((line) => line.includes('"problem":"webhook"'))).toBe(true);
  });

  test('another program that reads the bot', async () => {
    const token = tokenOf(2_000_100, 1);
    world.startWorker();
    await world.person('en', token).does((acting) => acting.write('/start'));
    const rival = async () => (await fetch(`${world.telegram.url}/bot${token}/getUpdates?timeout=1`)).json();
    await until(async () => {
      await rival();
      return (await botNow()).reading_problem === 'other_reader';
    });
    await until(async () => (await botNow()).reading_problem === null);
  });

  test('silence of Telegram, and its end', async () => {
    world.telegram.faults.set({ kind: 'down', method: 'getupdates' });
    world.startWorker();
    await until(async () => (await botNow()).reading_problem === 'unavailable');
    world.telegram.faults.clear();
    await until(async () => (await botNow()).reading_problem === null);
  });
});

test('another bot in place of the old one has update numbers of its own', async () => {
  world.startWorker();
  await world.person('en', tokenOf(2_000_100, 1)).does((acting) => acting.write('/start'));
  const other = tokenOf(2_000_177);
  expect((await world.replaceToken(other)).status).toBe(200);
  const ada = world.person('en', other);
  const [welcome] = await ada.does((acting) => acting.write('/start'));
  expect(welcome?.text).toContain('Demo Bot 2000177');
});

test('a bot that is switched off is silent, and answers what it missed when it is on again', async () => {
  const ada = world.person('en', tokenOf(2_000_177));
  const change = (isActive: boolean) =>
    world.as('PATCH /api/exchange-bot/{id}', { params: { id: world.bot.id }, body: { is_active: isActive } });
  world.startWorker();
  await ada.does((acting) => acting.write('/start'));
  await change(false);
  ada.write('hello');
  await sleep(500);
  expect(ada.received()).toHaveLength(1);
  await change(true);
  await ada.does(() => {});
  expect(ada.received()).toHaveLength(2);
});
