import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepestDrawdown, drawdownSeries } from './drawdown.ts';

const curve = (...equities: string[]) =>
  equities.map((equity, index) => ({ day: `2026-01-0${index + 1}`, equity }));

test('measures from the highest equity so far', () => {
  const series = drawdownSeries(curve('100', '80', '120', '90'));
  expect(series.map(({ drawdown }) => drawdown)).toEqual(['0', '-20', '0', '-25']);
  expect(deepestDrawdown(series)).toEqual({ day: '2026-01-04', equity: '90', drawdown: '-25' });
});

test('an empty or worthless curve has no drawdown', () => {
  expect(drawdownSeries([])).toEqual([]);
  expect(deepestDrawdown([])).toBeNull();
  expect(drawdownSeries(curve('0', '-5')).map(({ drawdown }) => drawdown)).toEqual(['0', '0']);
});

test('a drawdown is never above zero nor below -100, and zero at every high', () => {
  const equity = fc.integer({ min: -1_000_000, max: 100_000_000 }).map((cents) => (cents / 100).toFixed(2));
  fc.assert(
    fc.property(fc.array(equity, { maxLength: 60 }), (equities) => {
      const series = drawdownSeries(equities.map((equity) => ({ day: '2026-01-01', equity })));
      let peak = 0;
      for (const { equity, drawdown } of series) {
        expect(Number(drawdown)).toBeLessThanOrEqual(0);
        expect(Number(drawdown)).toBeGreaterThanOrEqual(-100);
        peak = Math.max(peak, Number(equity));
        if (Number(equity) === peak) expect(drawdown).toBe('0');
      }
    }),
  );
});
