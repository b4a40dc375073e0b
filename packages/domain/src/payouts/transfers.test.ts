import { describe, expect, test } from 'vitest';
import { isSameMove, replacementFee, withinLimits } from './transfers.ts';

describe('a replacement', () => {
  test('pays a quarter more than before, rounded up, or the market price', () => {
    expect(replacementFee({ maxFee: 10n, priorityFee: 1n }, { maxFee: 11n, priorityFee: 5n }, 999n)).toEqual({
      maxFee: 13n,
      priorityFee: 5n,
    });
    expect(
      replacementFee({ maxFee: 100n, priorityFee: 4n }, { maxFee: 300n, priorityFee: 1n }, 999n),
    ).toEqual({
      maxFee: 300n,
      priorityFee: 5n,
    });
  });
  test('pays at most the limit, and is impossible when that is too little', () => {
    const now = { maxFee: 300n, priorityFee: 280n };
    expect(replacementFee({ maxFee: 10n, priorityFee: 1n }, now, 100n)).toEqual({
      maxFee: 100n,
      priorityFee: 100n,
    });
    expect(replacementFee({ maxFee: 80n, priorityFee: 1n }, now, 100n)?.maxFee).toBe(100n);
    expect(replacementFee({ maxFee: 81n, priorityFee: 1n }, now, 100n)).toBeNull();
  });
});

describe('a receipt', () => {
  const move = { token: '0xAA', from: '0xBB', to: '0xCC', units: 10n };
  test('matches the request, in any letter case', () => {
    expect(isSameMove(move, [{ token: '0xaa', from: '0xbb', to: '0xcc', units: 10n }])).toBe(true);
  });
  test.each([
    ['nothing', []],
    ['more than one transfer', [move, move]],
    ['another amount', [{ ...move, units: 9n }]],
    ['another recipient', [{ ...move, to: '0xCD' }]],
    ['another sender', [{ ...move, from: '0xCD' }]],
    ['another token', [{ ...move, token: '0xCD' }]],
  ])('does not match, with %s', (_, done) => {
    expect(isSameMove(move, done)).toBe(false);
  });
});

describe('limits', () => {
  const payouts = [{ units: 5n }, { units: 50n }, { units: 3n }, { units: 4n }, { units: 1n }];
  test('none: everything goes', () => {
    expect(withinLimits(payouts, { perTransaction: null, perDay: null }, 0n).allowed).toEqual(payouts);
  });
  test('a payout above the limit waits, and does not block the others', () => {
    const { allowed, overTransaction } = withinLimits(payouts, { perTransaction: 49n, perDay: null }, 0n);
    expect(overTransaction).toEqual([{ units: 50n }]);
    expect(allowed).toHaveLength(4);
  });
  test('a day takes payouts from the front up to the limit, to the unit', () => {
    const limits = { perTransaction: 49n, perDay: 10n };
    expect(withinLimits(payouts, limits, 2n).allowed).toEqual([{ units: 5n }, { units: 3n }]);
    expect(withinLimits(payouts, limits, 2n).overDay).toEqual([{ units: 4n }, { units: 1n }]);
    expect(withinLimits(payouts, limits, 6n).allowed).toEqual([]);
  });
  test('a payout above the daily limit counts as too large, and blocks no others', () => {
    const { allowed, overTransaction, overDay } = withinLimits(
      payouts,
      { perTransaction: null, perDay: 20n },
      0n,
    );
    expect(overTransaction).toEqual([{ units: 50n }]);
    expect(allowed).toHaveLength(4);
    expect(overDay).toEqual([]);
  });
});
