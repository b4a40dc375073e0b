import { describe, expect, test } from 'vitest';
import { decideValuation, dustOf, type ValuationFacts } from './valuation.ts';

const USDT = 10n ** 18n;
const healthy: ValuationFacts = {
  returnedUnits: 1_100n * USDT,
  exchangeUnits: 1_000n * USDT,
  lostInTransitUnits: 0n,
  capitalUnits: 1_000n * USDT,
  evidenceAgeMs: 600_000,
  loggedResultUnits: 100n * USDT,
  otherCoinsUnits: USDT,
};
const reasonsOf = (changed: Partial<ValuationFacts>) => decideValuation({ ...healthy, ...changed }).reasons;

test('the result is returned less booked money, and a healthy one waits for no person', () => {
  expect(decideValuation(healthy)).toEqual({ resultUnits: 100n * USDT, reasons: [] });
});

test('money lost on its way to the exchange is a loss of the cycle', () => {
  expect(decideValuation({ ...healthy, lostInTransitUnits: 150n * USDT }).resultUnits).toBe(-50n * USDT);
});

describe('a valuation waits for a second super admin', () => {
  const result = (units: bigint) => ({
    returnedUnits: healthy.exchangeUnits + units,
    loggedResultUnits: units,
  });

  test.each([
    ['above 30 % of the pool', result(300n * USDT + 1n), ['large_result']],
    ['a loss above 30 %', result(-300n * USDT - 1n), ['large_result']],
    ['not at 30 %', result(300n * USDT), []],
    [
      'when everything is gone',
      { returnedUnits: 0n, loggedResultUnits: -1_000n * USDT },
      ['everything_gone', 'large_result'],
    ],
    ['when the evidence is older than 10 minutes', { evidenceAgeMs: 600_001 }, ['evidence_old']],
    ['when other coins are there', { otherCoinsUnits: USDT + 1n }, ['other_coins']],
    ['when the log differs by more', { loggedResultUnits: 101n * USDT + 1n }, ['cross_check_off']],
    ['not when it differs by 1 USDT', { loggedResultUnits: 101n * USDT }, []],
    ['when the log cannot be read', { loggedResultUnits: null }, ['cross_check_off']],
  ])('%s', (_what, changed, reasons) => {
    expect(reasonsOf(changed)).toEqual(reasons);
  });

  test('a large pool may differ from the log by a thousandth', () => {
    const large = { capitalUnits: 5_000n * USDT, loggedResultUnits: 105n * USDT };
    expect(reasonsOf(large)).toEqual([]);
    expect(reasonsOf({ ...large, loggedResultUnits: 105n * USDT + 1n })).toEqual(['cross_check_off']);
  });
});

test('the first cycle of a pool has nothing to compare', () => {
  const empty = { returnedUnits: 0n, exchangeUnits: 0n, capitalUnits: 0n, loggedResultUnits: null };
  expect(decideValuation({ ...healthy, ...empty, otherCoinsUnits: 0n })).toEqual({
    resultUnits: 0n,
    reasons: [],
  });
});

test('dust is 1 USDT, or the smallest withdrawal with its fee', () => {
  expect(dustOf(0n, 0n)).toBe(USDT);
  expect(dustOf(10n * USDT, USDT)).toBe(11n * USDT);
});
