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
