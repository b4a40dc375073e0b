import { describe, expect, test } from 'vitest';
import { sortLog } from './exchange-log.ts';
import { decideValuation, dustOf, type ValuationFacts } from './valuation.ts';

const USDT = 10n ** 18n;
const healthy: ValuationFacts = {
  returnedUnits: 1_100n * USDT,
  exchangeUnits: 1_000n * USDT,
  lostInTransitUnits: 0n,
  capitalUnits: 1_000n * USDT,
  evidenceAgeMs: 600_000,
  loggedResultUnits: 100n * USDT,
  foreign: [],
  otherCoinsUnits: USDT,
  owedUnits: 0n,
  owedCoinsUnits: 0n,
};
/** Nothing foreign. */
const KEPT = { foreignUnits: 0n, missingUnits: 0n };
const reasonsOf = (changed: Partial<ValuationFacts>) => decideValuation({ ...healthy, ...changed }).reasons;

test('the result is returned less booked money, and a healthy one waits for no person', () => {
  expect(decideValuation(healthy)).toEqual({ ...KEPT, resultUnits: 100n * USDT, reasons: [] });
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
    ['when USDT is owed', { owedUnits: 1n }, ['money_owed']],
    ['when other coins are owed', { owedCoinsUnits: 1n, otherCoinsUnits: 0n }, ['money_owed']],
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
    ...KEPT,
    resultUnits: 0n,
    reasons: [],
  });
});

test('dust is 1 USDT, or the smallest withdrawal with its fee', () => {
  expect(dustOf(0n, 0n)).toBe(USDT);
  expect(dustOf(10n * USDT, USDT)).toBe(11n * USDT);
});

test('only the listed types are trading; transfers of lenders are no moves between wallets', () => {
  const sorted = sortLog({
    TRADE: 10n,
    SETTLEMENT: -1n,
    DELIVERY: 2n,
    LIQUIDATION: -3n,
    ADL: 4n,
    FEE_REFUND: 5n,
    TRANSFER_IN: 1_000n,
    TRANSFER_OUT: -1_017n,
    TRANSFER_IN_INS_LOAN: 70n,
    INTEREST: -6n,
    NEW_ONE: 0n,
  });
  expect(sorted.tradedUnits).toBe(17n);
  expect(sorted.foreign).toEqual([
    { type: 'INTEREST', units: -6n },
    { type: 'NEW_ONE', units: 0n },
    { type: 'TRANSFER_IN_INS_LOAN', units: 70n },
  ]);
});

/** A pool of 1,000 whose trading made 100, and what besides was in the log and came back. In USDT. */
test.each([
  ['a loan that came back as well', [7_825], 8_925, { result: 100, foreign: 7_825, missing: 0 }],
  ['a loan that was repaid', [7_825, -7_825], 1_100, { result: 100, foreign: 0, missing: 0 }],
  ['a loan that came back in part', [7_825], 4_100, { result: 100, foreign: 3_000, missing: 0 }],
  ['a loan that did not come back', [7_825], 500, { result: -500, foreign: 0, missing: 0 }],
  ['a tenth moved to an earn product', [-100], 1_000, { result: 100, foreign: 0, missing: 100 }],
  ['the same, replaced from elsewhere', [-100], 1_100, { result: 100, foreign: 0, missing: 0 }],
  [
    'the same, replaced but for the fee of a withdrawal',
    [-100],
    1_099,
    { result: 99, foreign: 0, missing: 0 },
  ],
  ['back from an earn product of the cycle before', [100], 1_200, { result: 100, foreign: 100, missing: 0 }],
  ['a loss by trading beside an earn product', [-100], 700, { result: -200, foreign: 0, missing: 100 }],
])('%s', (_what, log, back, expected) => {
  const { resultUnits, foreignUnits, missingUnits, reasons } = decideValuation({
    ...healthy,
    returnedUnits: BigInt(back) * USDT,
    foreign: log.map((units, nth) => ({ type: `OTHER_${nth}`, units: BigInt(units) * USDT })),
  });
  expect({
    result: Number(resultUnits / USDT),
    foreign: Number(foreignUnits / USDT),
    missing: Number(missingUnits / USDT),
  }).toEqual(expected);
  expect(reasons).toContain('foreign_money');
});
