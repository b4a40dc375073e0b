import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowTips, WORKER } from '../../../../../../tests/support/world/invoicing.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { findUnsound } from '../../../../../../tests/support/world/sound-invoices.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { bookPayments } from './payments.service.ts';

let world: InvoicingWorld;
beforeAll(async () => {
  world = await createInvoicingWorld();
});
afterAll(() => world.close());

/** A trader with an open invoice for each amount, in whole USDT, the oldest first. */
async function traderOwing(...amounts: number[]) {
  const trader = await world.addTrader();
  for (const amount of amounts) {
    await world.addPositions(trader, String(2 * amount));
    await world.invoice();
  }
  return trader;
}
const stateOf = async (traderId: string) =>
  (await world.invoicesOf(traderId)).map((i) => [i.status, i.settled_by, BigInt(i.paid) / usdt(1)]);
const payables = (traderId: string) =>
  world.owner<{ type: string; units: string; recipient_address: string | null }>(
    `SELECT p.recipient_type AS type, p.amount_units::text AS units, p.recipient_address
     FROM payable p JOIN invoice i ON i.id = p.invoice_id WHERE i.trader_id = $1 ORDER BY p.created_at, 1`,
    [traderId],
  );
const total = (rows: { units: string }[]) => rows.reduce((sum, { units }) => sum + BigInt(units), 0n);

describe('a payment', () => {
  test('pays the oldest invoice first, and part payments add up', async () => {
    const { id } = await traderOwing(10, 20);
    await world.pay(id, usdt(4));
    expect(await stateOf(id)).toEqual([
      ['pending', null, 4n],
      ['pending', null, 0n],
    ]);
    expect(await payables(id)).toEqual([]);
    await world.pay(id, usdt(9));
    expect(await stateOf(id)).toEqual([
      ['paid', 'chain', 10n],
      ['pending', null, 3n],
    ]);
    expect(total(await payables(id))).toBe(usdt(10));
    await world.pay(id, usdt(17));
    expect(await stateOf(id)).toEqual([
      ['paid', 'chain', 10n],
      ['paid', 'chain', 20n],
    ]);
    expect(total(await payables(id))).toBe(usdt(30));
    expect(await findUnsound(world)).toEqual({});
  });

  test('a little above all that is owed leaves a tip, also one that comes when nothing is owed', async () => {
    const { id } = await traderOwing(10);
    await world.pay(id, usdt(11));
    await world.pay(id, usdt(1));
    expect(await stateOf(id)).toEqual([['paid', 'chain', 12n]]);
    const tips = (await payables(id)).filter(({ type }) => type === 'tip');
    expect(tips.map(({ units }) => BigInt(units))).toEqual([usdt(1), usdt(1)]);
    expect(total(await payables(id))).toBe(usdt(12));
    expect(await findUnsound(world)).toEqual({});
  });

  test('far above all that is owed leaves credit, which the message says and the next invoice takes', async () => {
    const trader = await traderOwing(10);
    await world.pay(trader.id, usdt(13));
    await world.pay(trader.id, usdt(5));
    expect(await stateOf(trader.id)).toEqual([['paid', 'chain', 10n]]);
    expect((await payables(trader.id)).filter(({ type }) => type === 'tip')).toEqual([]);
    const [told] = await world.owner<{ text: string }>(
      `SELECT text FROM message WHERE trader_id = $1 AND kind = 'invoice_paid'`,
      [trader.id],
    );
    expect(told?.text).toMatch(/3\.00.* stays as your credit/);
    await world.addPositions(trader, '16');
    await world.invoice();
    expect(await stateOf(trader.id)).toEqual([
      ['paid', 'chain', 10n],
      ['paid', 'chain', 8n],
    ]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('up to the setting is a tip', async () => {
    await allowTips(world.owner, 4n);
    const { id } = await traderOwing(10);
    await world.pay(id, usdt(14));
    await allowTips(world.owner, 1n);
    expect(await stateOf(id)).toEqual([['paid', 'chain', 14n]]);
  });

  test('of exactly one invoice pays that one, and any other the oldest first', async () => {
    const { id } = await traderOwing(10, 20, 30);
    await world.pay(id, usdt(20));
    await world.pay(id, usdt(12));
    expect(await stateOf(id)).toEqual([
      ['paid', 'chain', 10n],
      ['paid', 'chain', 20n],
      ['pending', null, 2n],
    ]);
  });

  test('from a trader without invoices waits, and pays the first invoice on issue', async () => {
    const trader = await world.addTrader();
    await world.pay(trader.id, usdt(7));
    await world.addPositions(trader, '10');
    await world.invoice();
    expect(await stateOf(trader.id)).toEqual([['paid', 'chain', 5n]]);
    expect(total(await payables(trader.id))).toBe(usdt(5));
    expect(await findUnsound(world)).toEqual({});
  });

  test('goes to archived invoices when nothing else is open', async () => {
    const { id } = await traderOwing(10, 20);
    const [oldest] = await world.invoicesOf(id);
    await world.owner('UPDATE invoice SET is_archived = true WHERE id = $1', [oldest?.id]);
    await world.pay(id, usdt(25));
    expect(await stateOf(id)).toEqual([
      ['pending', null, 5n],
      ['paid', 'chain', 20n],
    ]);
  });

  test('is booked once for its source, and refused as another payment', async () => {
    const { id } = await traderOwing(10);
    const source = { type: 'deposit', id: randomUUID() };
    const first = await world.pay(id, usdt(4), source);
    expect(await world.pay(id, usdt(4), source)).toEqual({ ...first, isNew: false });
    expect(await stateOf(id)).toEqual([['pending', null, 4n]]);
    await expect(world.pay(id, usdt(5), source)).rejects.toThrow(/booked as another payment/);
  });

  test("lists every recipient's share, by its present address", async () => {
    const { id, providerId, communityId } = await traderOwing(100);
    const address = `0x${'7'.repeat(40)}`;
    await world.owner('UPDATE provider SET payout_address = $2 WHERE id = $1', [providerId, address]);
    await world.owner(
      "UPDATE platform_recipient SET address = CASE recipient_type WHEN 'sixk' THEN $1::text END",
      [address],
    );
    await world.pay(id, usdt(100));
    const rows = await payables(id);
    const [{ split } = { split: [] }] = await world.invoicesOf(id);
    expect(rows.map(({ type, units }) => `${type} ${units}`).sort()).toEqual(
      split.map((part) => `${part.recipient_type} ${part.units}`).sort(),
    );
    const [{ external_wallet_address: external } = { external_wallet_address: null }] = await world.owner<{
      external_wallet_address: string | null;
    }>('SELECT external_wallet_address FROM community WHERE id = $1', [communityId]);
    const to = (type: string) => rows.find((row) => row.type === type)?.recipient_address;
    expect(to('mark')).toBe(address);
    expect(to('sixk')).toBe(address);
    expect(to('hexmount')).toBeNull();
    expect(to('community')).toBe(external);
  });

  test('notifies the trader once its invoices are paid, in one message', async () => {
    const { id } = await traderOwing(10, 20);
    const told = () =>
      world.owner<{ kind: string }>(
        `SELECT kind FROM message WHERE trader_id = $1 AND kind = 'invoice_paid'`,
        [id],
      );
    await world.pay(id, usdt(5));
    expect(await told()).toEqual([]);
    await world.pay(id, usdt(25));
    expect(await told()).toHaveLength(1);
  });
});

test('thirty payments, each reported three times by eight workers at once, are booked thirty times', async () => {
  const { id } = await traderOwing(10, 20, 30);
  const sources = Array.from({ length: 30 }, () => ({ type: 'deposit', id: randomUUID() }));
  const waiting = [...sources, ...sources, ...sources];
  const booked: Awaited<ReturnType<typeof world.pay>>[] = [];
  const tell = async () => {
    for (let source = waiting.shift(); source; source = waiting.shift())
      booked.push(await world.pay(id, usdt(2), source));
  };
  await Promise.all(Array.from({ length: 8 }, tell));
  expect(booked.filter(({ isNew }) => isNew)).toHaveLength(30);
  expect(await stateOf(id)).toEqual([
    ['paid', 'chain', 10n],
    ['paid', 'chain', 20n],
    ['paid', 'chain', 30n],
  ]);
  expect(total(await payables(id))).toBe(usdt(60));
  expect(await findUnsound(world)).toEqual({});
});

describe('many payments at once', () => {
  const book = (payments: readonly { traderId: string; units: bigint; sourceId: string }[]) =>
    world.db.write(WHOLE_SCOPE, WORKER, (tx) =>
      bookPayments(
        tx,
        payments.map(({ traderId, units, sourceId }) => ({
          traderId,
          units,
          source: { type: 'deposit', id: sourceId },
          transactionHash: null,
          receivedAt: new Date(),
        })),
      ),
    );
  const paymentsOf = async (traderIds: string[]) =>
    (await world.owner('SELECT FROM payment WHERE trader_id = ANY ($1)', [traderIds])).length;

  test('are booked in order, even above the limit of one statement, and repeated ones are reported', async () => {
    const traders = [await traderOwing(600), await traderOwing(600)];
    const payments = Array.from({ length: 1_201 }, (_, n) => ({
      traderId: traders[n % 2]?.id as string,
      units: usdt(1),
      sourceId: randomUUID(),
    }));
    const [known] = await book(payments.slice(1_100, 1_101));
    const booked = await book(payments);
    expect(booked.filter(({ isNew }) => !isNew)).toEqual([{ ...known, isNew: false }]);
    expect(new Set(booked.map(({ paymentId }) => paymentId)).size).toBe(1_201);
    expect(await Promise.all(traders.map(({ id }) => stateOf(id)))).toEqual([
      [['paid', 'chain', 601n]],
      [['paid', 'chain', 600n]],
    ]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('are not booked at all when one of them was booked as another payment', async () => {
    const [one, other] = [await traderOwing(10), await traderOwing(10)];
    const sourceId = randomUUID();
    await book([{ traderId: one.id, units: usdt(3), sourceId }]);
    const again = [
      { traderId: other.id, units: usdt(1), sourceId: randomUUID() },
      { traderId: other.id, units: usdt(3), sourceId },
    ];
    await expect(book(again)).rejects.toThrow(`deposit ${sourceId} was booked as another payment`);
    expect(await paymentsOf([one.id, other.id])).toBe(1);
  });
});

describe('an invoice that was imported as paid in part', () => {
  async function imported() {
    const trader = await world.addTrader({
      books_opened_at: null,
      deposit_address: `0x${randomBytes(20).toString('hex')}`,
    });
    const [invoiceId = ''] = await world.addInvoices(trader.id, {
      amount_units: usdt(10),
      paid_units: usdt(4),
      split: [
        { recipient_type: 'mark', units: usdt(7).toString() },
        { recipient_type: 'community', units: usdt(3).toString() },
      ],
    });
    return { ...trader, invoiceId };
  }
  const payables = (invoiceId: string) =>
    world.owner(
      `SELECT y.recipient_type, y.amount_units::text AS units, b.posted::text FROM payable y
       JOIN ledger_account a ON a.owner_id = y.invoice_id AND a.kind = 'payable_' || y.recipient_type
       JOIN ledger_balance b ON b.account_id = a.id WHERE y.invoice_id = $1 ORDER BY 1 DESC`,
      [invoiceId],
    );
  const offPlatform = (invoiceId: string) =>
    world.owner(
      'SELECT off_platform_units::text AS units, off_platform_reason AS reason FROM invoice WHERE id = $1',
      [invoiceId],
    );
  const shares = (mark: bigint, community: bigint) => [
    { recipient_type: 'mark', units: mark.toString(), posted: mark.toString() },
    { recipient_type: 'community', units: community.toString(), posted: community.toString() },
  ];

  test('takes payments once the chain was asked for the balance of its address', async () => {
    const { id, invoiceId } = await imported();
    await world.pay(id, usdt(6));
    expect(await stateOf(id)).toEqual([['pending', null, 4n]]);
    await world.openAllBooks();
    expect(await stateOf(id)).toEqual([['paid', 'chain', 10n]]);
    expect(await payables(invoiceId)).toEqual(shares(usdt(7), usdt(3)));
    expect(await offPlatform(invoiceId)).toEqual([{ units: '0', reason: null }]);
    expect(await findUnsound(world)).toEqual({});
  });

  test('makes payable only the balance at its address: the rest was settled off the platform', async () => {
    const { id, invoiceId } = await imported();
    await world.pay(id, usdt(6));
    // 6 of these 7 are the payment of now, so 1 of the 4 that were imported is there.
    await world.openAllBooks(() => usdt(7));
    expect(await stateOf(id)).toEqual([['paid', 'chain', 10n]]);
    expect(await payables(invoiceId)).toEqual(shares(49n * 10n ** 17n, 21n * 10n ** 17n));
    expect(await offPlatform(invoiceId)).toEqual([{ units: usdt(3).toString(), reason: 'not_on_chain' }]);
    const [wallet] = await world.owner(
      `SELECT b.posted::text FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
       WHERE a.owner_id = $1 AND a.kind = 'deposit_wallet'`,
      [id],
    );
    expect(wallet).toEqual({ posted: usdt(7).toString() });
    expect(await findUnsound(world)).toEqual({});
  });

  test('is marked as paid by hand before the chain was asked: nothing of it becomes payable', async () => {
    const { id, invoiceId } = await imported();
    const marked = await world.app.inject({
      method: 'PATCH',
      url: `/api/invoices/${invoiceId}/status`,
      payload: { is_paid: true },
      headers: { authorization: await world.signIn('super') },
    });
    expect(marked.statusCode).toBe(200);
    expect(await offPlatform(invoiceId)).toEqual([
      { units: usdt(4).toString(), reason: 'settled_before_check' },
    ]);
    await world.openAllBooks();
    await world.pay(id, usdt(6));
    expect(await payables(invoiceId)).toEqual([]);
    expect(await findUnsound(world)).toEqual({});
  });
});
