import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
});
const payment = (paymentId: string, openUnits: bigint) => ({ paymentId, openUnits });
const short = (allocations: ReturnType<typeof allocatePayments>) =>
  allocations.map((a) => [a.paymentId, a.invoice.invoiceId, a.units, a.tipUnits, a.completes]);

test('the oldest invoice is paid first, and a payment goes on to the next', () => {
  expect(
    short(
      allocatePayments([payment('p', 15n), payment('q', 2n)], [invoice('a', 10n), invoice('b', 10n)], null),
    ),
  ).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 5n, 0n, false],
    ['q', 'b', 2n, 0n, false],
  ]);
});

test('earlier payments count', () => {
  expect(short(allocatePayments([payment('p', 3n)], [invoice('a', 10n, 7n)], null))).toEqual([
    ['p', 'a', 3n, 0n, true],
  ]);
});

test('the rest after all are paid is a tip on the last, in the same allocation', () => {
  expect(short(allocatePayments([payment('p', 25n)], [invoice('a', 10n), invoice('b', 10n)], null))).toEqual([
    ['p', 'a', 10n, 0n, true],
    ['p', 'b', 15n, 5n, true],
  ]);
});

test('a payment without open invoices is a tip on the last paid one, and waits when there is none', () => {
  expect(short(allocatePayments([payment('p', 5n)], [], invoice('z', 10n, 10n)))).toEqual([
    ['p', 'z', 5n, 5n, false],
  ]);
  expect(allocatePayments([payment('p', 5n)], [], null)).toEqual([]);
});

test('no unit is lost, made or paid twice, in 10,000 cases', () => {
  const units = fc.bigInt(1n, 10n ** 20n);
  fc.assert(
    fc.property(
      fc.array(units, { maxLength: 6 }),
      fc.array(fc.tuple(units, units), { maxLength: 6 }),
      fc.boolean(),
      (paid, owed, hasLast) => {
        const payments = paid.map((open, n) => payment(`p${n}`, open));
        const open = owed.map(([amount, before], n) => invoice(`i${n}`, amount + before, before));
        const last = hasLast ? invoice('last', 5n, 5n) : null;
        const allocations = allocatePayments(payments, open, last);
        const sum = (of: bigint[]) => of.reduce((a, b) => a + b, 0n);
        for (const { paymentId, openUnits } of payments) {
          const used = sum(allocations.filter((a) => a.paymentId === paymentId).map((a) => a.units));
          // The whole payment is used, unless there is no invoice for it.
          assert.equal(used, open.length === 0 && !last ? 0n : openUnits);
        }
        for (const each of open) {
          const of = allocations.filter((a) => a.invoice === each);
          assert.ok(each.paidUnits + sum(of.map((a) => a.units - a.tipUnits)) <= each.amountUnits);
          assert.ok(of.filter((a) => a.completes).length <= 1);
        }
        // No invoice waits behind a newer one.
        const isPaid = open.map((each) => allocations.some((a) => a.invoice === each && a.completes));
        assert.ok(!isPaid.includes(false) || isPaid.lastIndexOf(true) < isPaid.indexOf(false));
        // A pair of payment and invoice occurs once, because it is the source of one journal.
        const pairs = allocations.map((a) => `${a.paymentId} ${a.invoice.invoiceId}`);
        assert.equal(new Set(pairs).size, pairs.length);
      },
    ),
    { numRuns: 10_000, seed: printedSeed('PROPERTY_SEED') },
  );
});
