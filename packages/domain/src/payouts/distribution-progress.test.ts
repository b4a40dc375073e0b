import { describe, expect, test } from 'vitest';
import { type DistributionFacts, isLate, progressOf, type StandingStep } from './distribution-progress.ts';

const facts = (over: Partial<DistributionFacts>): DistributionFacts => ({
  counts: {},
  hasBegun: true,
  waitReason: null,
  standing: null,
  ...over,
});
const standing = (standingMs: number, usualMs: number | null): StandingStep => ({
  step: 'distribute',
  standingMs,
  usualMs,
});

describe('the progress of a distribution', () => {
  test.each([
    [{ pending: 1, distributed: 1 }, 'under_way'],
    [{ pending: 1, consolidating: 1 }, 'under_way'],
    [{ pending: 1 }, 'under_way'],
    [{ consolidating: 1 }, 'under_way'],
    [{ consolidated: 1 }, 'under_way'],
    [{ distributing: 1, distributed: 4 }, 'under_way'],
    [{ distributed: 3 }, 'done'],
    [{ distributed: 3, failed: 1 }, 'needs_attention'],
    // Every payout was ordered again elsewhere, so none is left.
    [{}, 'done'],
  ] as const)('%j is %s', (counts, progress) => {
    expect(progressOf(facts({ counts }))).toBe(progress);
  });

  test('it is ordered until a transfer is signed, for any status of its payouts', () => {
    expect(progressOf(facts({ counts: { consolidating: 2 }, hasBegun: false }))).toBe('ordered');
    expect(progressOf(facts({ counts: { failed: 2 }, hasBegun: false }))).toBe('needs_attention');
  });

  test.each([
    ['wallet_frozen', 'needs_attention'],
    ['gas_wallet_frozen', 'needs_attention'],
    ['gas_wallet_empty', 'needs_attention'],
    ['wallet_not_of_seed', 'needs_attention'],
    ['over_transaction_limit', 'needs_attention'],
    ['receipt_differs', 'needs_attention'],
    ['over_day_limit', 'under_way'],
    ['waits_for_gas', 'under_way'],
    ['not_final', 'under_way'],
    ['in_turn', 'under_way'],
  ])('one that waits for %s is %s', (waitReason, progress) => {
    expect(progressOf(facts({ counts: { distributing: 1 }, waitReason }))).toBe(progress);
  });

  test('a late one needs attention, and a completed one does not', () => {
    const late = standing(600_000, 10_000);
    expect(progressOf(facts({ counts: { distributing: 1 }, standing: late }))).toBe('needs_attention');
    expect(progressOf(facts({ counts: { pending: 1 }, standing: late }))).toBe('needs_attention');
    expect(progressOf(facts({ counts: { distributed: 1 }, standing: late }))).toBe('done');
  });
});

test('a step is late beyond twice its usual time, and never within a minute', () => {
  expect(isLate(standing(200_000, 100_000))).toBe(false);
  expect(isLate(standing(200_001, 100_000))).toBe(true);
  expect(isLate(standing(60_000, 3_000))).toBe(false);
  expect(isLate(standing(60_001, 3_000))).toBe(true);
  expect(isLate(standing(240_000, null))).toBe(false);
  expect(isLate(standing(240_001, null))).toBe(true);
});
