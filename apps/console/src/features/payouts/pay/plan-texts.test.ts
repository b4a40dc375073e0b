import { expect, test } from 'vitest';
import type { PayPlan } from '../payouts-queries.ts';
import type { PayoutOrder } from './payout-order.ts';
import {
  aboveMaximumWords,
  approvalWords,
  collectedWords,
  feeWords,
  payWords,
  progressWords,
  sentWords,
  transactionWords,
} from './plan-texts.ts';

const ONE = '0x52908400098527886E0F7030069857D2E4169EE7';
const TWO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const payout = (recipientAddress: string, recipientType: 'mark' | 'community') => ({
  id: null,
  recipientAddress,
  recipientType,
  amount: '617.28',
  payableCount: 2,
});
const plan: PayPlan = {
  distribution: null,
  total_amount: '1234.56',
  payouts: [payout(ONE, 'mark'), payout(ONE, 'community'), payout(TWO, 'mark')],
  recipients: [],
  consolidations: { count: 2, amount: '500' },
  from_address: TWO,
  transaction_count: 5,
  approval_reasons: { is_above_limit: true, own_address_set_by: null },
  expected_fee: '0.00105',
  remaining_amount: '0',
  needs_approval: false,
  above_maximum: null,
  approval_limit: null,
};
const all: PayoutOrder = { kind: 'distribute', communityId: '1', selected: null, expected: '1234.56' };
const withdrawal: PayoutOrder = { kind: 'withdraw', communityId: '1', expected: '1234.56' };

test('the button describes the effect: an address with two roles is one recipient', () => {
  expect(payWords(all, plan)).toBe('Pay 1,234.56 USDT to 2 recipients');
  expect(payWords(all, { ...plan, needs_approval: true })).toBe(
    'Request approval to pay 1,234.56 USDT to 2 recipients',
  );
  expect(payWords(withdrawal, { ...plan, payouts: plan.payouts.slice(0, 1) })).toBe(
    'Pay 1,234.56 USDT to 0x5290…9EE7',
  );
});

test('the first steps, and their cost', () => {
  expect(transactionWords(plan)).toBe('5: 2 to collect, 3 to pay');
  expect(collectedWords(plan)).toBe('500.00 USDT from 2 deposits');
  expect(feeWords(plan)).toBe('About 0.00105 BNB');
  expect(feeWords({ ...plan, expected_fee: null })).toBe('Not known yet');
  const ready = { ...plan, consolidations: { count: 0, amount: '0' }, transaction_count: 3 };
  expect(transactionWords(ready)).toBe('3, one a payout');
  expect(collectedWords(ready)).toBe('Nothing: the wallet holds enough');
});

test('the message after the order', () => {
  const ordered = { title: 'Payout ordered: 2 recipients, 1,234.56 USDT', text: 'Not sent yet.' };
  expect(sentWords(plan)).toEqual(ordered);
  const one = { ...plan, total_amount: '686.86', payouts: plan.payouts.slice(2) };
  expect(sentWords(one).title).toBe('Payout ordered: 1 recipient, 686.86 USDT');
  const distribution = { id: '1', state: 'awaiting_approval' } as PayPlan['distribution'];
  expect(sentWords({ ...plan, distribution })).toEqual({
    title: 'Approval requested',
    text: '1,234.56 USDT is paid once another super admin approves it',
  });
  const above = { maximum: '1000', payout_count: 1 };
  expect(sentWords({ ...plan, distribution, above_maximum: above }).text).toContain(
    'two further super admins',
  );
  expect(aboveMaximumWords(above)).toBe('1 payout is above the largest payout of 1,000.00 USDT');
  expect(aboveMaximumWords({ ...above, payout_count: 2 })).toContain('2 payouts are above');
  expect(progressWords(['distributed', 'failed', 'pending'])).toBe('1 of 3 payouts distributed, 1 failed');
});

test('the reason why an order waits: alone above the limit, or with those of the last 24 hours', () => {
  const limit = { above: '1000', ordered_for_community: '0', ordered_by_caller: '0' };
  expect(approvalWords({ ...plan, approval_limit: limit })).toBe('It is above the limit of 1,000.00 USDT.');
  const ofCommunity = { ...limit, ordered_for_community: '900', ordered_by_caller: '100' };
  expect(approvalWords({ ...plan, total_amount: '200', approval_limit: ofCommunity })).toBe(
    'This brings orders of the last 24 hours for this community to 1,100.00 USDT. The limit is 1,000.00 USDT.',
  );
  const ofCaller = { ...limit, ordered_by_caller: '900' };
  expect(approvalWords({ ...plan, total_amount: '200', approval_limit: ofCaller })).toContain(
    'orders of the last 24 hours by you to 1,100.00 USDT',
  );
});

test('the reason for an approval is the true one: the limit, an own address, or both', () => {
  const own = { is_above_limit: false, own_address_set_by: 'puppet@example.com' };
  const limit = { above: '100', ordered_for_community: '0', ordered_by_caller: '0' };
  const words = approvalWords({ ...plan, approval_limit: limit, approval_reasons: own });
  expect(words).toBe(
    'It pays to an address that puppet@example.com set and nobody else has released: you have a part in it.',
  );
  expect(
    approvalWords({ ...plan, approval_limit: limit, approval_reasons: { ...own, is_above_limit: true } }),
  ).toMatch(/^It is above the limit of 100\.00 USDT\. It pays/);
});
