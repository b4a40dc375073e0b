import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameMove, largestPayout, payableAt, replacementFee, withinLimits } from './transfers.ts';

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
  test('one that was allowed once goes first, whatever its size, and leaves less of the day', () => {
    const large = { units: 50n, isAllowedOnce: true };
    const limits = { perTransaction: 20n, perDay: 55n };
    expect(withinLimits([{ units: 5n }, large, { units: 3n }], limits, 0n)).toEqual({
      allowed: [large, { units: 5n }],
      overTransaction: [],
      overDay: [{ units: 3n }],
    });
    // Whatever went out before.
    expect(withinLimits([large], limits, 55n).allowed).toEqual([large]);
    // A permission that it does not need changes nothing.
    const small = { units: 4n, isAllowedOnce: true };
    expect(withinLimits([small], limits, 52n).overDay).toEqual([small]);
  });
  test.each([
    [5n, 3n, 3n],
    [3n, 5n, 3n],
    [null, 5n, 5n],
    [5n, null, 5n],
    [null, null, null],
  ])(
    'of a limit of %s and one of a day of %s the largest payout is %s',
    (perTransaction, perDay, largest) => {
      expect(largestPayout({ perTransaction, perDay })).toBe(largest);
    },
  );
});

describe('the limit of a day lets a payout out', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 2, hours));
  /** Just more than a day after. */
  const freed = (hours: number) => new Date(at(hours + 24).getTime() + 1);
  const counted = [
    { units: 4n, at: at(3) },
    { units: 6n, at: at(1) },
  ];
  test('at once while there is room', () => {
    expect(payableAt([{ units: 2n }], counted, 12n, at(9))).toEqual([at(9)]);
  });
  test('once enough of what went out is a day old, and after those before it', () => {
    const waiting = [{ units: 5n }, { units: 1n }, { units: 4n }, { units: 5n }];
    expect(payableAt(waiting, counted, 10n, at(9))).toEqual([
      freed(1),
      freed(1),
      freed(3),
      new Date(freed(1).getTime() + 86_400_001),
    ]);
  });
  test('now, where earlier ones are more than a day old', () => {
    expect(payableAt([{ units: 9n }], counted, 12n, at(30))).toEqual([at(30)]);
  });
  test('after everything else, where the limit was lowered below it', () => {
    expect(payableAt([{ units: 11n }], counted, 10n, at(9))).toEqual([freed(3)]);
  });
  test('never together with more than the limit within a day', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ units: fc.bigInt(1n, 10n), hour: fc.integer({ min: 0, max: 23 }) })),
        fc.array(fc.bigInt(1n, 10n)),
        (sent, wanted) => {
          const before = sent.map(({ units, hour }) => ({ units, at: at(hour) }));
          const times = payableAt(
            wanted.map((units) => ({ units })),
            before,
            10n,
            at(23),
          );
          const all = [...before, ...wanted.map((units, index) => ({ units, at: times[index] as Date }))];
          for (const [index, time] of times.entries()) {
            const day = all
              .slice(0, before.length + index + 1)
              .filter((each) => each.at.getTime() >= time.getTime() - 86_400_000 && each.at <= time);
            expect(day.reduce((sum, { units }) => sum + units, 0n)).toBeLessThanOrEqual(10n);
            expect(time >= (times[index - 1] ?? at(23))).toBe(true);
          }
        },
      ),
    );
  });
});
