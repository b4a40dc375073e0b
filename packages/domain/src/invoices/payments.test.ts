import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printedSeed } from '../../../../tests/support/printed-seed.ts';
import { allocatePayments, type PayableInvoice } from './payments.ts';

const invoice = (id: string, amountUnits: bigint, paidUnits = 0n): PayableInvoice => ({
  invoiceId: id,
  traderId: 't',
  providerId: null,
  amountUnits,
  paidUnits,
  split: [{ recipientType: 'mark', amountUnits }],
  offPlatformUnits: 0n,
  isArchived: false,
});
const payment = (paymentId: string, openUnits: bigint) => ({ paymentId, openUnits });
const short = (allocations: ReturnType<typeof allocatePayments>) =>
  allocations.map((a) => [a.paymentId, a.invoice.invoiceId, a.units, a.tipUnits, a.completes]);

const allocate = (
  payments: ReturnType<typeof payment>[],
  open: PayableInvoice[],
  last: PayableInvoice | null = null,
  tipUpToUnits = 5n,
) => short(allocatePayments(payments, open, last, { tipUpToUnits }));

test('the oldest invoice is paid first, and a payment goes on to the next', () => {
  expect(allocate([payment('p', 15n), payment('q', 2n)], [invoice('a', 10n), invoice('b', 10n)])).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 5n, 0n, false],
    ['q', 'b', 2n, 0n, false],
  ]);
});

test('a payment of exactly an order that ended revives it, where nothing open has this amount', () => {
  const late = (payments: ReturnType<typeof payment>[], open: PayableInvoice[], ended: PayableInvoice[]) =>
    allocatePayments(payments, open, null, { tipUpToUnits: 5n, ended }).map((a) => [
      a.invoice.invoiceId,
      a.units,
      a.revives,
    ]);
  const month = invoice('month', 49n);
  expect(late([payment('p', 49n)], [invoice('year', 449n)], [month])).toEqual([['month', 49n, true]]);
  expect(late([payment('p', 49n)], [invoice('new', 49n)], [month])).toEqual([['new', 49n, false]]);
  expect(late([payment('p', 50n)], [invoice('year', 449n)], [month])).toEqual([['year', 50n, false]]);
  // Two of the same amount: nobody knows which was meant, and none is revived twice.
  expect(late([payment('p', 49n)], [], [month, invoice('other', 49n)])).toEqual([]);
  expect(late([payment('p', 49n), payment('q', 49n)], [], [month])).toEqual([['month', 49n, true]]);
});

test('an order that ended is revived whole, with what rounding added as its tip', () => {
  const asked = 50n * 10n ** 12n;
  const ended = [invoice('month', asked - 4n)];
  const payments = [payment('p', asked), payment('q', 3n)];
  expect(allocatePayments(payments, [], null, { tipUpToUnits: 5n, ended })).toMatchObject([
    { paymentId: 'p', paidUnits: 0n, units: asked, tipUnits: 4n, completes: true, revives: true },
    // What comes after it is its tip.
    { paymentId: 'q', paidUnits: asked, units: 3n, tipUnits: 3n, completes: false, revives: false },
  ]);
});

describe('an order that ended is not revived', () => {
  const month = invoice('month', 49n);
  const pay = (units: bigint[], open: PayableInvoice[], orders: string[]) =>
    allocatePayments(
      units.map((each, nth) => payment(`p${nth}`, each)),
      open,
      null,
      { tipUpToUnits: 0n, ended: [month], isOrder: ({ invoiceId }) => orders.includes(invoiceId) },
    ).map((each) => [each.invoice.invoiceId, each.units]);

  test('after its buyer has paid another order', () => {
    expect(pay([49n, 49n], [invoice('year', 49n)], ['year'])).toEqual([['year', 49n]]);
    // Together with an invoice as well.
    expect(pay([59n, 49n], [invoice('a', 9n), invoice('year', 50n)], ['year'])).toEqual([
      ['a', 9n],
      ['year', 50n],
    ]);
  });

  test('where it may not', () => {
    const rules = { tipUpToUnits: 0n, ended: [month], mayRevive: () => false };
    expect(allocatePayments([payment('p', 49n)], [], null, rules)).toEqual([]);
  });

  test('but by whoever paid an invoice, or a part of another order', () => {
    expect(pay([49n, 49n], [invoice('a', 49n)], [])).toEqual([
      ['a', 49n],
      ['month', 49n],
    ]);
    expect(pay([30n, 49n], [invoice('year', 449n)], ['year'])).toEqual([
      ['year', 30n],
      ['month', 49n],
    ]);
  });
});

test('earlier payments count', () => {
  expect(allocate([payment('p', 3n)], [invoice('a', 10n, 7n)])).toEqual([['p', 'a', 3n, 0n, true]]);
  // Also for what is open on an invoice, and for what was asked for the rest of it.
  expect(allocate([payment('p', 49n)], [invoice('old', 120n), invoice('b', 100n, 51n)])).toEqual([
    ['p', 'b', 49n, 0n, true],
  ]);
  const half = 50n * 10n ** 12n;
  expect(allocate([payment('p', half)], [invoice('b', 2n * half - 4n, half)], null, 0n)).toEqual([
    ['p', 'b', half, 4n, true],
  ]);
});

test('a payment that is used up leaves the next invoice alone', () => {
  const open = ['a', 'b', 'c'].map((id) => invoice(id, 10n));
  expect(allocate([payment('p', 20n)], open)).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 10n, 0n, true],
  ]);
});

test('a payment that equals what is open on one invoice pays that one', () => {
  const owed = [invoice('old', 120n), invoice('order', 49n)];
  expect(allocate([payment('p', 49n)], owed)).toEqual([['p', 'order', 49n, 0n, true]]);
  expect(allocate([payment('p', 50n)], owed)).toEqual([['p', 'old', 50n, 0n, false]]);
  // Two of the same amount: nobody knows which was meant.
  expect(allocate([payment('p', 49n)], [...owed, invoice('other', 49n)])).toEqual([
    ['p', 'old', 49n, 0n, false],
  ]);
  expect(
    allocate([payment('p', 49n)], [invoice('old', 120n), { ...invoice('gone', 49n), isArchived: true }]),
  ).toEqual([['p', 'old', 49n, 0n, false]]);
  // People are asked for whole millionths, rounded up.
  const millionth = 10n ** 12n;
  expect(
    allocate(
      [payment('p', 50n * millionth)],
      [invoice('old', 10n ** 20n), invoice('b', 50n * millionth - 4n)],
    ),
  ).toEqual([['p', 'b', 50n * millionth, 4n, true]]);
});

test('what was asked for an invoice pays it, whatever tips may be and whatever else is open', () => {
  const asked = 10n ** 20n;
  expect(
    allocate([payment('p', asked)], [invoice('a', 1n), invoice('b', asked - 10n ** 12n + 1n)], null, 1n),
  ).toEqual([['p', 'b', asked, 10n ** 12n - 1n, true]]);
});

test('a small rest after all are paid is a tip on the last, in the same allocation; a larger one stays open', () => {
  const owed = [invoice('a', 10n), invoice('b', 10n)];
  expect(allocate([payment('p', 25n)], owed)).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 15n, 5n, true],
  ]);
  expect(allocate([payment('p', 26n)], owed)).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 10n, 0n, true],
  ]);
});

test('a small payment without open invoices is a tip on the last paid one, and waits when there is none', () => {
  expect(allocate([payment('p', 5n)], [], invoice('z', 10n, 10n))).toEqual([['p', 'z', 5n, 5n, false]]);
  expect(allocate([payment('p', 6n)], [], invoice('z', 10n, 10n))).toEqual([]);
  // Tips add up on it.
  const tips = [payment('p', 3n), payment('q', 2n)];
  expect(allocatePayments(tips, [], invoice('z', 10n, 10n), { tipUpToUnits: 5n })).toMatchObject([
    { paidUnits: 10n, units: 3n, revives: false },
    { paidUnits: 13n, units: 2n, revives: false },
  ]);
  expect(allocate([payment('p', 5n)], [])).toEqual([]);
});

test('a payment goes only where it may', () => {
  const allocations = allocatePayments([payment('p', 10n)], [invoice('a', 10n), invoice('b', 20n)], null, {
    tipUpToUnits: 0n,
    mayPay: (_, { invoiceId }) => invoiceId === 'b',
  });
  expect(short(allocations)).toEqual([['p', 'b', 10n, 0n, false]]);
});

test('no unit is lost, made or paid twice, in 10,000 cases', () => {
  const units = fc.bigInt(1n, 10n ** 20n);
  fc.assert(
    fc.property(
      fc.array(units, { maxLength: 6 }),
      fc.array(fc.tuple(units, units), { maxLength: 6 }),
      fc.boolean(),
      units,
      (paid, owed, hasLast, tipUpToUnits) => {
        const payments = paid.map((open, n) => payment(`p${n}`, open));
        const open = owed.map(([amount, before], n) => invoice(`i${n}`, amount + before, before));
        const last = hasLast ? invoice('last', 5n, 5n) : null;
        const allocations = allocatePayments(payments, open, last, { tipUpToUnits });
        const sum = (of: bigint[]) => of.reduce((a, b) => a + b, 0n);
        for (const { paymentId, openUnits } of payments) {
          const used = sum(allocations.filter((a) => a.paymentId === paymentId).map((a) => a.units));
          // What is left is more than a tip, or nothing was ever paid; and no invoice is open any more.
          const rest = openUnits - used;
          assert.ok(rest >= 0n);
          const areAllPaid = open.every((each) => allocations.some((a) => a.invoice === each && a.completes));
          if (rest > 0n) assert.ok(areAllPaid && (rest > tipUpToUnits || (open.length === 0 && !last)));
          // What people were asked for is rounded up to millionths.
          const tipOrRounding = tipUpToUnits < 10n ** 12n ? 10n ** 12n - 1n : tipUpToUnits;
          assert.ok(allocations.every(({ tipUnits }) => tipUnits <= tipOrRounding));
        }
        for (const each of open) {
          const of = allocations.filter((a) => a.invoice === each);
          assert.ok(each.paidUnits + sum(of.map((a) => a.units - a.tipUnits)) <= each.amountUnits);
          assert.ok(of.filter((a) => a.completes).length <= 1);
        }
        // A pair of payment and invoice occurs once, because it is the source of one journal.
        const pairs = allocations.map((a) => `${a.paymentId} ${a.invoice.invoiceId}`);
        assert.equal(new Set(pairs).size, pairs.length);
      },
    ),
    { numRuns: 10_000, seed: printedSeed('PROPERTY_SEED') },
  );
});
