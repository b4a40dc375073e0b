import { describe, expect, test } from 'vitest';
import { PAYOUT_STATUSES } from '../catalogue.ts';
import { canCancelPayout, canResendPayout, canRetryPayout, type PayoutFacts } from './payouts.ts';
import { TRANSFER_STATES } from './transfers/transfer-states.ts';

const failed: PayoutFacts = {
  status: 'failed',
  isApproved: true,
  isImported: false,
  hasItsShares: true,
  hasItsAddress: true,
  transfer: 'reverted',
  isCancelAsked: false,
};
const transfers = [...TRANSFER_STATES, null];

describe('a payout is paid again', () => {
  test('when it failed', () => {
    const allowed = PAYOUT_STATUSES.filter((status) => canRetryPayout({ ...failed, status }));
    expect(allowed).toEqual(['failed']);
  });

  test('when it certainly was not paid', () => {
    const allowed = transfers.filter((transfer) => canRetryPayout({ ...failed, transfer }));
    expect(allowed).toEqual(['planned', 'reverted', 'cancelled', 'void']);
  });

  test('unless it was not approved, or was imported', () => {
    expect(canRetryPayout({ ...failed, isApproved: false })).toBe(false);
  });
});

describe('a payout is sent to another address', () => {
  test('whenever it may be paid again, and also when it was imported as failed', () => {
    expect(canResendPayout(failed)).toBe(true);
    expect(canResendPayout({ ...failed, transfer: 'sent' })).toBe(false);
    const imported = { ...failed, isApproved: false, isImported: true, transfer: null };
    expect(canResendPayout(imported)).toBe(true);
    expect(PAYOUT_STATUSES.filter((status) => canResendPayout({ ...imported, status }))).toEqual(['failed']);
    expect(canResendPayout({ ...failed, isApproved: false })).toBe(false);
  });

  test('once: then its shares belong to another payout, and it is not paid again either', () => {
    expect(canResendPayout({ ...failed, hasItsShares: false })).toBe(false);
    expect(canRetryPayout({ ...failed, hasItsShares: false })).toBe(false);
    // Its recipient has another address now: paid as it was it would be set aside, again and again.
    expect(canRetryPayout({ ...failed, hasItsAddress: false })).toBe(false);
    expect(canResendPayout({ ...failed, hasItsAddress: false })).toBe(true);
  });
});

describe('a payout is cancelled', () => {
  const running: PayoutFacts = { ...failed, status: 'distributing', transfer: 'sent' };

  test('while it is not final', () => {
    expect(transfers.filter((transfer) => canCancelPayout({ ...running, transfer }))).toEqual([
      'planned',
      'sent',
    ]);
  });

  test('once', () => {
    expect(canCancelPayout({ ...running, isCancelAsked: true })).toBe(false);
  });

  test('unless it was not approved', () => {
    expect(canCancelPayout({ ...running, isApproved: false })).toBe(false);
  });
});
