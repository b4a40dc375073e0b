import { expect, test } from 'vitest';
import { indexSeries } from './pool-figures.ts';

test('the index follows returns on opening capital, with its drawdown', () => {
  const cycle = (cycleNumber: number, openingUnits: bigint, resultUnits: bigint, feeUnits = 0n) => ({
    cycleNumber,
    day: `2026-01-0${cycleNumber}`,
    openingUnits,
    resultUnits,
    feeUnits,
  });
  const series = indexSeries([
    cycle(1, 100n, -20n),
    cycle(2, 0n, 5n),
    cycle(3, 1_000n, 500n, 250n),
    cycle(4, 10n, -5n),
  ]);
  expect(series.map(({ equity, netPrice, drawdown }) => [equity, netPrice, drawdown])).toEqual([
    ['0.8', '0.8', '-20'],
    ['0.8', '0.8', '-20'],
    ['1.2', '1', '0'],
    ['0.6', '0.5', '-50'],
  ]);
  expect(series.map(({ cycleNumber }) => cycleNumber)).toEqual([1, 2, 3, 4]);
});

test('what members bring and take between cycles moves neither price nor drawdown', () => {
  /** The same returns, each on another capital. */
  const historyOf = (capitals: readonly bigint[]) =>
    indexSeries(
      [10n, -25n, 40n].map((percent, nth) => {
        const openingUnits = capitals[nth] ?? 0n;
        const resultUnits = (openingUnits * percent) / 100n;
        return { cycleNumber: nth + 1, day: `2026-01-0${nth + 1}`, openingUnits, resultUnits, feeUnits: 0n };
      }),
    );
  const alone = historyOf([1_000n, 1_100n, 825n]);
  // 5,000 come in after the first result, and almost everything leaves after the second.
  const withFlows = historyOf([1_000n, 6_100n, 100n]);
  expect(withFlows).toEqual(alone);
  expect(withFlows.map(({ equity, drawdown }) => [equity, drawdown])).toEqual([
    ['1.1', '0'],
    ['0.825', '-25'],
    ['1.155', '0'],
  ]);
});
