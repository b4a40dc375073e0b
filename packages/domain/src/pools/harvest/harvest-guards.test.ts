import { describe, expect, test } from 'vitest';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from '../../../../../tests/support/pools/healthy-facts.ts';
import { HARVEST_REFUSALS } from './harvest-events.ts';
import { type ExchangeEvidence, type HarvestFacts, resolutionsOf } from './harvest-facts.ts';
import * as guards from './harvest-guards.ts';

const read = (changed: Partial<ExchangeEvidence>) => ({ exchange: { ...EMPTY_EXCHANGE, ...changed } });
/** By name. */
const ALL = { ...guards };
const refusalOf = (guard: guards.HarvestGuard, facts: Partial<HarvestFacts>) =>
  guard({ ...HEALTHY_FACTS, ...facts });

describe('a guard holds', () => {
  test.each([
    ['for a read of a minute ago', guards.isFresh, read({ ageMs: 60_000 })],
    ['for an overdrawn account that began with nothing', guards.hasFullBalance, read({ balanceUnits: -5n })],
    [
      'for withdrawals that can be read, without a second person',
      guards.canReadWithdrawals,
      { hasSecondPerson: false },
    ],
    ['for dust left at the exchange', guards.isAtDust, read({ balanceUnits: 1n })],
    [
      'for returns that are short by the fee, by dust and by an amount that left another way',
      guards.hasReturns,
      { ...read({ leftUnits: 5n }), startBalanceUnits: 100n, returnedUnits: 90n, withdrawalFeeUnits: 4n },
    ],
    ['where nothing is owed, read or not', guards.hasNoDebt, { exchange: null }],
    ['for a failed step that may be repeated', guards.canRepeat, { failure: 'transfer_reverted' }],
  ] as [string, guards.HarvestGuard, Partial<HarvestFacts>][])('%s', (_what, guard, facts) => {
    expect(refusalOf(guard, facts)).toBeNull();
  });
});

test.each([
  guards.isFresh,
  guards.hasNoPositions,
  guards.hasStoredPositions,
  guards.isStillEmpty,
  guards.hasPositions,
  guards.hasFullBalance,
  guards.hasNoWithdrawal,
  guards.isAtDust,
])('without a read of the exchange nothing counts as shown (%#)', (guard) => {
  expect(refusalOf(guard, { exchange: null })).not.toBeNull();
});

/** Facts under which a guard does not hold, and what its refusal has to name. */
const REFUSED: [keyof typeof ALL, Partial<HarvestFacts>, ...string[]][] = [
  ['isNotHeld', { isHeldByRun: true }],
  ['isFresh', read({ ageMs: 61_400 }), '61 s'],
  ['isFresh', { exchange: null }],
  ['hasNoPositions', read({ openPositions: 3, openOrders: 2 }), '3 positions', '2 orders'],
  ['hasNoPositions', { exchange: null }, '0 positions', '0 orders'],
  ['hasStoredPositions', read({ unstoredPositions: 4 }), '4'],
  ['hasStoredPositions', { exchange: null }, '0'],
  ['isStillEmpty', { earlierExchange: { ...EMPTY_EXCHANGE, ageMs: 11_000, openPositions: 1 } }],
  ['hasNewAcknowledgement', { isAcknowledged: false }],
  ['hasNoBot', { hasBot: true }],
  ['awaitsResume', { isResumeAwaited: false }],
  ['hasPositions', {}],
  ['hasNoReturns', { returnedUnits: 7n }, '7'],
  ['hasFullBalance', { ...read({ balanceUnits: 8n }), startBalanceUnits: 9n }, '8 of 9'],
  ['hasFullBalance', { exchange: null, startBalanceUnits: 9n }, '0 of 9'],
  ['hasNoWithdrawal', read({ openWithdrawals: 2 }), '2'],
  ['hasNoWithdrawal', { exchange: null }, '0'],
  ['canReadWithdrawals', { ...read({ openWithdrawals: null }), hasSecondPerson: false }],
  ['canReadWithdrawals', { exchange: null, hasSecondPerson: false }],
  ['isAtDust', read({ balanceUnits: 2n }), '2 base units', 'dust is 1'],
  ['isAtDust', { exchange: null }, '0 base units'],
  ['hasNoDebt', read({ owedUnits: 15n * 10n ** 17n }), '1.5 USDT'],
  ['hasNothingMissing', { missingUnits: 25n * 10n ** 17n }, '2.5 USDT'],
  [
    'hasReturns',
    { ...read({ leftUnits: 5n }), startBalanceUnits: 101n, returnedUnits: 90n, withdrawalFeeUnits: 4n },
    '90 of 101',
  ],
  ['hasReturns', { exchange: null, startBalanceUnits: 2n }, '0 of 2'],
  ['isHealthy', { valuationReasons: ['large_result', 'money_owed'] }, 'large_result, money_owed'],
  ['isAnotherPerson', { hasSecondPerson: false }],
  ['hasBalancedBooks', { areBooksBalanced: false }],
  ['hasChargedAll', { unchargedMembers: 6 }, '6'],
  ['hasNothingPending', { pendingOperations: 5 }, '5'],
  ['hasApprovedAddress', { isDepositAddressApproved: false }],
  ['isWithinDrawdown', { drawdown: '-21.5', maxDrawdown: '20' }, '-21.5%', '20%'],
  ['isCreditedInFull', { creditedUnits: 98n }, '98 of 100'],
  ['isLate', { deadline: new Date('2026-03-01T12:00:00.001Z') }],
  ['isLate', { deadline: null }],
  ['canRepeat', { failure: 'deposit_rejected' }, 'deposit_rejected'],
  ['canRepeat', { failure: 'shortfall' }, 'shortfall'],
  ['hasTwoPeople', { hasSecondPerson: false }],
  ['hasResolution', { hasEvidence: false }],
  ['hasResolution', { resolution: null }],
  ['hasNothingInTransit', { transitUnits: 3n }, '3'],
  ['hasLost', {}],
  ['isToRepeat', { resolution: 'funding_lost' }, 'funding_lost'],
  ['isNotJustTold', { isOwnerJustTold: true }],
  ['canBeTold', { hasOwnerChat: false }],
  ['arePaymentsOn', { arePaymentsStopped: true }],
];

describe('a refusal', () => {
  test.each(REFUSED)(
    'of %s with %o has a code that the contract knows, and says why',
    (name, facts, ...named) => {
      const refusal = refusalOf(ALL[name], facts);
      expect(HARVEST_REFUSALS).toContain(refusal?.code);
      expect(refusal?.code).toMatch(/\w/);
      expect(refusal?.detail).toMatch(/\w/);
      for (const each of named) expect(refusal?.detail).toContain(each);
    },
  );

  test('is possible by every guard', () => {
    expect(new Set(REFUSED.map(([name]) => name))).toEqual(new Set(Object.keys(ALL)));
  });
});

test('a failed credit has three ways out, of which repeating fails again after a rejection; another step has one', () => {
  expect(resolutionsOf('crediting', 'deadline_passed')).toEqual({
    kinds: ['repeat', 'funding_bounced', 'funding_lost'],
    failsAgain: null,
  });
  expect(resolutionsOf('crediting', 'deposit_rejected').failsAgain).toBe('repeat');
  expect(resolutionsOf('sending', 'deposit_rejected')).toEqual({ kinds: ['repeat'], failsAgain: null });
});
