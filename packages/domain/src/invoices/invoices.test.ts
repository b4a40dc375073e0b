import { expect, test } from 'vitest';
import { decideMarking, type MarkableInvoice, providerShareOf, UNKNOWN_REFERENCE } from './invoices.ts';

test.each([
  ['100', '0.35', '35'],
  ['100', null, '70'],
  ['0.01', '0.7', '0.007'],
  ['123456789.000000000000000001', '0.3333', '41148147.7737000000000000003333'],
  ['5', '0', '0'],
])('of %s at a split of %s the provider gets %s', (amount, split, share) => {
  expect(providerShareOf(amount, split)).toBe(share);
});

const PENDING: MarkableInvoice = {
  status: 'pending',
  isOfPool: false,
  wasPaidOnChain: false,
  hasPayout: false,
  hasOtherOpenOrder: false,
};
const PAID: MarkableInvoice = { ...PENDING, status: 'paid' };
test.each([
  ['a pending one', PENDING, true, 'change'],
  ['a pending one that is pending', PENDING, false, 'unchanged'],
  ['a paid one that is paid', PAID, true, 'unchanged'],
  ['a paid one', PAID, false, 'change'],
  ['one paid on chain', { ...PAID, wasPaidOnChain: true }, false, 'invoice_paid_on_chain'],
  ['one with a payout', { ...PAID, hasPayout: true }, false, 'payout_made'],
  ['an order beside an open one', { ...PAID, hasOtherOpenOrder: true }, false, 'other_order_open'],
  ['an open order beside another', { ...PENDING, hasOtherOpenOrder: true }, true, 'change'],
  ['one with both', { ...PAID, wasPaidOnChain: true, hasPayout: true }, false, 'payout_made'],
  ['a cancelled one as paid', { ...PENDING, status: 'cancelled' }, true, 'invoice_cancelled'],
  ['a cancelled one as unpaid', { ...PENDING, status: 'cancelled' }, false, 'invoice_cancelled'],
  ['one that a pool pays', { ...PENDING, isOfPool: true }, true, 'invoice_of_pool'],
  ['a part paid on chain as paid', { ...PENDING, wasPaidOnChain: true }, true, 'change'],
] as [string, MarkableInvoice, boolean, string][])('marking %s: %#', (_, invoice, isPaid, result) => {
  expect(decideMarking(invoice, isPaid)).toBe(result);
});

test('a trader without a reference number is in the group that the console spec names, section 2', () => {
  expect(UNKNOWN_REFERENCE).toBe('unknown');
});
