import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.ts';

const payout = (status: 'distributed' | 'failed' | 'distributing', over: object = {}) => ({
  status,
  problem: null,
  total_amount: '50',
  ...over,
});
const all = { orderedAmount: '100', recipients: null };

test('nothing is announced before the last payout has ended', () => {
  expect(outcomeOf(all, [])).toBeNull();
  expect(outcomeOf(all, [payout('distributed'), payout('distributing')])).toBeNull();
  expect(outcomeOf(all, [payout('failed'), payout('distributing')])).toBeNull();
});

test("success is announced in the spec's words, when everything was paid", () => {
  const paid = [payout('distributed'), payout('distributed')];
  expect(outcomeOf(all, paid)).toEqual({
    tone: 'positive',
    title: 'Funds distributed successfully to all recipients',
  });
  expect(outcomeOf({ ...all, recipients: 2 }, paid)?.title).toBe(
    'Funds distributed successfully to 2 recipients',
  );
});

test('the amount returned to pending is part of the text', () => {
  const paid = [payout('distributed'), payout('distributed', { total_amount: '30.5' })];
  expect(outcomeOf(all, paid)?.text).toBe(
    '19.50 USDT returned to pending: a deposit address could not be emptied.',
  );
});

test('a failure is never a success, and says that nothing was lost', () => {
  const outcome = outcomeOf(all, [payout('distributed'), payout('failed')]);
  expect(outcome).toMatchObject({ tone: 'negative', title: '1 of 2 payouts failed' });
  expect(outcome?.text).toContain('Nothing was lost');
});

test('a declined distribution is neither', () => {
  expect(outcomeOf(all, [payout('failed', { problem: 'declined' })])).toMatchObject({
    tone: 'neutral',
    title: 'Distribution declined',
  });
});
