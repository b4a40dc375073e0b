import { EXCHANGES } from '@copydesk/domain/catalogue';
import { TRADER_SOURCES, TRADER_STATUSES } from '@copydesk/domain/traders';
import { expect, test } from 'vitest';
import { createDirectory } from './directory.ts';
import { createHistory } from './history.ts';
import { createRandom } from './random.ts';
import { createTrader } from './trader.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
/** As in seed-bot.sql: the last active one by its name. */
const BOT_COMMUNITY = 'Juniper Syndicate';

function createWorld(count: number) {
  const directory = createDirectory(now);
  const traders = Array.from({ length: count }, (_, n) => createTrader(n + 1, directory, now));
  return {
    ...directory,
    traders,
    histories: traders.map((trader) => createHistory(trader, directory.providers, now)),
  };
}

const world = createWorld(600);

test('the same hour gives the same world, id by id and cent by cent', () => {
  expect(createWorld(600)).toEqual(world);
});

test('a trader is the same however many there are beside it', () => {
  expect(createWorld(20).traders[19]).toEqual(world.traders[19]);
});

test('another seed gives other values', () => {
  expect(createRandom(1).uuid()).toBe(createRandom(1).uuid());
  expect(createRandom(1).uuid()).not.toBe(createRandom(2).uuid());
});

test('random values stay within the requested range', () => {
  const random = createRandom(5);
  const drawn = Array.from({ length: 2000 }, () => random.integer(3, 6));
  expect([...new Set(drawn)].sort()).toEqual([3, 4, 5, 6]);
  for (let n = 0; n < 100; n++) {
    expect(random.hex(40)).toMatch(/^[0-9a-f]{40}$/);
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('unique values do not repeat', () => {
  const { traders, histories } = world;
  const accounts = traders.flatMap((trader) => trader.accounts);
  const invoices = histories.flatMap((history) => history.invoices);
  for (const values of [
    traders.map((trader) => trader.id),
    traders.map((trader) => trader.referralCode),
    traders.map((trader) => trader.depositAddress),
    accounts.map((account) => account.accUid),
    invoices.map((invoice) => invoice.id),
  ])
    expect(new Set(values).size).toBe(values.length);
});

test('traders are of every status, and their accounts of every exchange', () => {
  const { traders } = world;
  expect(new Set(traders.map((trader) => trader.status))).toEqual(new Set(TRADER_STATUSES));
  const exchanges = traders.flatMap((trader) => trader.accounts.map((account) => account.exchange));
  expect(new Set(exchanges)).toEqual(new Set(EXCHANGES));
});

test('a referrer is of the same community, joined before, and can be paid; trees are four levels deep', () => {
  const byId = new Map(world.traders.map((trader) => [trader.id, trader]));
  const levels = world.traders.map((trader) => {
    let level = 1;
    for (let at = trader; at.referrerId !== null; level++) {
      const referrer = byId.get(at.referrerId);
      if (!referrer) throw new Error(`${at.id} has an unknown referrer`);
      expect(referrer.community.id).toBe(at.community.id);
      expect(referrer.createdAt.getTime()).toBeLessThan(at.createdAt.getTime());
      expect(referrer.payoutAddress).not.toBeNull();
      at = referrer;
    }
    return level;
  });
  for (const level of [2, 3, 4]) expect(levels.filter((of) => of === level).length).toBeGreaterThan(5);
});

test('traders were added in every way, and by a bot only where there is one', () => {
  const { traders } = world;
  expect(new Set(traders.map(({ source }) => source))).toEqual(new Set([...TRADER_SOURCES, null]));
  for (const { source, community, telegramUserId } of traders)
    if (source === 'bot')
      expect([community.name, telegramUserId]).toEqual([BOT_COMMUNITY, expect.any(String)]);
});

test('nothing is dated in the future, or before the 9 months', () => {
  const earliest = now.getTime() - 280 * 86_400_000;
  for (const { positions, invoices } of world.histories)
    for (const at of [
      ...positions.map((p) => p.closedAt),
      ...invoices.flatMap((i) => [i.createdAt, i.paidAt]),
    ]) {
      if (at === null) continue;
      expect(at.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(at.getTime()).toBeGreaterThan(earliest);
    }
});

test('an invoice is half of the profit of the positions on it, and its parts are the whole of it', () => {
  // Invoices without a provider have no positions: sales of a bot, and one with an unknown provider.
  for (const { positions, invoices } of world.histories)
    for (const invoice of invoices.filter(({ providerId }) => providerId !== null)) {
      const on = positions.filter((position) => position.invoiceId === invoice.id);
      expect(on.every((position) => position.pnlCents > 0)).toBe(true);
      const cents = on.reduce((sum, position) => sum + position.pnlCents, 0);
      expect(invoice.amountUnits).toBe((BigInt(cents) * 10n ** 16n) / 2n);
      expect(invoice.split.reduce((sum, part) => sum + part.amountUnits, 0n)).toBe(invoice.amountUnits);
    }
});
