import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCommunity } from '../../../../../../tests/support/world/communities.ts';
import { ADDRESSES } from '../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { beginInvoicing } from './invoicing.jobs.ts';
import { takeInvoicingTurn } from './invoicing-turn.ts';

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

const only = async (traderId: string) => {
  const invoices = await world.invoicesOf(traderId);
  expect(invoices).toHaveLength(1);
  return invoices[0] as (typeof invoices)[number];
};

describe('a run', () => {
  test('makes one invoice of the profitable positions of a trader, and never another of the same ones', async () => {
    const trader = await world.addTrader();
    await world.addPositions(trader, '100.5', '0.123456789012345678', '-40', '0');
    await world.invoice();
    const invoice = await only(trader.id);
    // Half of 100.623456789012345678, to the last base unit and never above.
    expect(invoice).toMatchObject({
      amount: '50311728394506172839',
      positions: 2,
      status: 'pending',
      exchange: 'bybit',
      provider_id: trader.providerId,
      rate: '0.5000',
    });
    expect(invoice.due_at.getTime() - invoice.created_at.getTime()).toBe(3 * 86_400_000);
    expect(sum(invoice.split.map((part) => part.units))).toBe(BigInt(invoice.amount));

    await world.invoice();
    await only(trader.id);
    await world.addPositions(trader, '10');
    await world.invoice();
    expect((await world.invoicesOf(trader.id)).map((i) => [i.amount, i.positions])).toEqual([
      ['50311728394506172839', 2],
      [usdt(5).toString(), 1],
    ]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('never invoices a position of unknown profit, and reports its trader until the profit is known', async () => {
    const [some, only] = [await world.addTrader(), await world.addTrader()];
    await world.addPositions(some, '100');
    for (const trader of [some, only]) await world.addPositions(trader, null);
    const reported = () =>
      world.owner<{ trader_id: string; reason: string }>(
        `SELECT p.trader_id, p.reason FROM invoicing_line p JOIN invoicing_run r ON r.id = p.run_id
         WHERE p.reason = 'unknown_profit' AND p.trader_id = ANY ($1)
           AND r.created_at = (SELECT max(created_at) FROM invoicing_run)
         ORDER BY p.trader_id`,
        [[some.id, only.id]],
      );
    await world.invoice();
    expect((await world.invoicesOf(some.id)).map(({ amount, positions }) => [amount, positions])).toEqual([
      [usdt(50).toString(), 1],
    ]);
    expect(await world.invoicesOf(only.id)).toEqual([]);
    const both = [some.id, only.id].sort().map((trader_id) => ({ trader_id, reason: 'unknown_profit' }));
    expect(await reported()).toEqual(both);
    // It is missing for as long as it is not known.
    await world.invoice();
    expect(await reported()).toEqual(both);

    await world.owner(
      'UPDATE closed_position SET closed_pnl = 20 WHERE closed_pnl IS NULL AND trader_id = $1',
      [only.id],
    );
    await world.invoice();
    expect((await world.invoicesOf(only.id)).map(({ amount, positions }) => [amount, positions])).toEqual([
      [usdt(10).toString(), 1],
    ]);
    expect(await reported()).toEqual([{ trader_id: some.id, reason: 'unknown_profit' }]);
    expect(await findUnsound(world)).toEqual({});
    await world.owner('DELETE FROM closed_position WHERE closed_pnl IS NULL', []);
  });

  test('gives a trader its own deposit address, which it keeps', async () => {
    const [one, other] = [await world.addTrader(), await world.addTrader()];
    await world.addPositions(one, '10');
    await world.addPositions(other, '10');
    await world.invoice();
    const rows = await world.owner<{ id: string; deposit_index: number; deposit_address: string }>(
      'SELECT id, deposit_index, deposit_address FROM trader WHERE id = ANY ($1)',
      [[one.id, other.id]],
    );
    for (const row of rows) {
      expect(row.deposit_address).toBe(ADDRESSES.at(row.deposit_index));
      expect((await only(row.id)).payment_address).toBe(row.deposit_address);
    }
    expect(new Set(rows.map((row) => row.deposit_address)).size).toBe(2);
  });

  test('freezes the terms of the day: later changes change no invoice', async () => {
    const trader = await world.addTrader();
    await world.addPositions(trader, '100');
    await world.invoice();
    const before = await only(trader.id);
    await world.owner(
      'UPDATE provider SET payment_split_percentage = payment_split_percentage / 2 WHERE id = $1',
      [trader.providerId],
    );
    expect(await only(trader.id)).toEqual(before);
    await world.owner(
      'UPDATE provider SET payment_split_percentage = payment_split_percentage * 2 WHERE id = $1',
      [trader.providerId],
    );
    await expect(
      world.db.write({ kind: 'all' }, { kind: 'system', id: 'x', name: 'x' }, (tx) =>
        tx.sql.updateTable('invoice').set({ amount_units: '1' }).where('id', '=', before.id).execute(),
      ),
    ).rejects.toThrow(/are frozen/);
  });

  test('charges at least the rate of the provider, by the rates in force when positions closed', async () => {
    const trader = await world.addTrader();
    const setMinimum = (rate: number) =>
      world.owner('UPDATE provider SET minimum_commission_rate = $2 WHERE id = $1', [
        trader.providerId,
        rate,
      ]);
    await world.addPositions(trader, '100'); // closed an hour ago
    await setMinimum(0.6);
    await world.owner(
      `INSERT INTO closed_position (account_id, trader_id, provider_id, venue_id, symbol, side, closed_pnl, closed_at)
       VALUES ($1, $2, $3, 'later', 'BTCUSDT', 'long', 10, now() + interval '1 second')`,
      [trader.accountId, trader.id, trader.providerId],
    );
    await setMinimum(0);
    await world.owner(
      `UPDATE commission_rate SET in_force_from = in_force_from + interval '1 hour'
       WHERE provider_id = $1 AND in_force_from = (SELECT max(in_force_from) FROM commission_rate WHERE provider_id = $1)`,
      [trader.providerId],
    );
    await world.invoice();
    const [first, second] = (await world.invoicesOf(trader.id)).sort(
      (a, b) => Number(a.rate) - Number(b.rate),
    );
    expect(first).toMatchObject({ amount: usdt(50).toString(), rate: '0.5000', positions: 1 });
    expect(second).toMatchObject({ amount: usdt(6).toString(), rate: '0.6000', positions: 1 });
  });

  test('charges by the provider of the account, one invoice each, whichever the trader selected', async () => {
    const trader = await world.addTrader();
    const [other] = await world.owner<{ id: string }>(
      'SELECT id FROM provider WHERE id <> $1 ORDER BY id LIMIT 1',
      [trader.providerId],
    );
    const second = { ...trader, providerId: other?.id ?? '' };
    const accountId = await world.addAccount(second, { exchange: 'okx' });
    await world.addPositions(trader, '100', '20');
    await world.addPositions({ ...second, accountId }, '60');
    await world.owner('UPDATE trader SET selected_provider_id = NULL WHERE id = $1', [trader.id]);
    await world.invoice();
    const invoices = await world.invoicesOf(trader.id);
    expect(invoices).toHaveLength(2);
    expect(invoices).toContainEqual(
      expect.objectContaining({
        provider_id: trader.providerId,
        amount: usdt(60).toString(),
        exchange: 'bybit',
      }),
    );
    expect(invoices).toContainEqual(
      expect.objectContaining({ provider_id: other?.id, amount: usdt(30).toString(), exchange: 'okx' }),
    );
  });

  test('skips a provider while its invoicing is off', async () => {
    const trader = await world.addTrader();
    await world.addPositions(trader, '100');
    const enable = (isOn: boolean) =>
      world.owner('UPDATE provider SET invoicing_enabled = $2 WHERE id = $1', [trader.providerId, isOn]);
    await enable(false);
    await world.invoice();
    expect(await world.invoicesOf(trader.id)).toEqual([]);
    await enable(true);
    await world.invoice();
    await only(trader.id);
  });

  test('pays the referrer of a trader out of the part of the community', async () => {
    const referrer = await world.addTrader({ external_wallet_address: `0x${'1'.repeat(40)}` });
    const trader = await world.addTrader({ referred_by_trader_id: referrer.id });
    await world.owner(
      'UPDATE community SET split_percentage = 10, trader_referral_percentage = 25 WHERE id = $1',
      [trader.communityId],
    );
    await world.addPositions(trader, '200');
    await world.invoice();
    const parts = Object.fromEntries((await only(trader.id)).split.map((p) => [p.recipient_type, p.units]));
    expect(parts).toMatchObject({ community: '7500000000000000000', trader_referrer: '2500000000000000000' });
  });

  test('reports traders that cannot be invoiced, and invoices the others', async () => {
    const [impossible, fine] = [await world.addTrader(), await world.addTrader()];
    const other = await addCommunity(world.owner, [], { split_percentage: 90 });
    await world.owner('UPDATE trader SET community_id = $2 WHERE id = $1', [impossible.id, other]);
    await world.addPositions(impossible, '100');
    await world.addPositions(fine, '100');
    await world.invoice();
    expect(await world.invoicesOf(impossible.id)).toEqual([]);
    await only(fine.id);
    const [problem] = await world.owner('SELECT reason FROM invoicing_line WHERE trader_id = $1', [
      impossible.id,
    ]);
    expect(problem).toEqual({ reason: 'split_exceeds_invoice' });
    await world.owner('UPDATE community SET split_percentage = 5 WHERE id = $1', [other]);
    await world.invoice();
    await only(impossible.id);
  });

  test('without an account key, a trader without an address waits', async () => {
    const trader = await world.addTrader();
    await world.addPositions(trader, '100');
    await beginInvoicing(world.db);
    await takeInvoicingTurn({ ...world.turnDeps(), addresses: null });
    expect(await world.invoicesOf(trader.id)).toEqual([]);
    expect(await world.owner('SELECT reason FROM invoicing_line WHERE trader_id = $1', [trader.id])).toEqual([
      { reason: 'no_deposit_address' },
    ]);
    await world.invoice();
    await only(trader.id);
  });

  test('a trader that breaks its batch is left out, not its batch', async () => {
    const [broken, fine] = [await world.addTrader(), await world.addTrader()];
    await world.addPositions(broken, '100');
    await world.addPositions(fine, '100');
    await world.owner('UPDATE trader SET deposit_address = $2 WHERE id = $1', [
      broken.id,
      `0x${'b'.repeat(40)}`,
    ]);
    // An unforeseen failure: no message to this trader can be written.
    await world.owner(
      `ALTER TABLE message ADD CONSTRAINT unforeseen CHECK (trader_id <> '${broken.id}') NOT VALID`,
    );
    await beginInvoicing(world.db);
    await takeInvoicingTurn(world.turnDeps());
    await world.owner('ALTER TABLE message DROP CONSTRAINT unforeseen');
    expect(await world.invoicesOf(broken.id)).toEqual([]);
    await only(fine.id);
    expect(await world.owner('SELECT reason FROM invoicing_line WHERE trader_id = $1', [broken.id])).toEqual([
      { reason: 'failed' },
    ]);
    expect(await findUnsound(world)).toEqual({});
  });
});

test('five workers and three runs at once invoice everything once', async () => {
  const traders = await Promise.all(Array.from({ length: 30 }, () => world.addTrader()));
  for (const trader of traders) await world.addPositions(trader, '1', '2', '3');
  await beginInvoicing(world.db);
  await world.owner(`INSERT INTO invoicing_run (community_id, requested_by) VALUES ($1, 'Test')`, [
    traders[0]?.communityId,
  ]);
  await world.owner(`INSERT INTO invoicing_run (trader_id, requested_by) VALUES ($1, 'Test')`, [
    traders[0]?.id,
  ]);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      world.withDatabase(async (db) => {
        while (await takeInvoicingTurn(world.turnDeps(db))) {
          // until none is left
        }
      }),
    ),
  );
  for (const trader of traders) expect(await only(trader.id)).toMatchObject({ amount: usdt(3).toString() });
  expect(await world.owner(`SELECT state, count(*)::int FROM invoicing_run GROUP BY 1`)).toEqual([
    { state: 'done', count: expect.any(Number) },
  ]);
  expect(await findUnsound(world)).toEqual({});
});

test('an invoiced position stays with its invoice', async () => {
  const trader = await world.addTrader();
  await world.addPositions(trader, '100');
  await world.invoice();
  const { id } = await only(trader.id);
  for (const change of ['SET invoice_id = NULL', 'SET closed_pnl = 1'])
    await expect(world.owner(`UPDATE closed_position ${change} WHERE invoice_id = $1`, [id])).rejects.toThrow(
      /was invoiced/,
    );
  await expect(world.owner('DELETE FROM closed_position WHERE invoice_id = $1', [id])).rejects.toThrow(
    /was invoiced/,
  );
});

function sum(units: readonly string[]): bigint {
  return units.reduce((total, part) => total + BigInt(part), 0n);
}
