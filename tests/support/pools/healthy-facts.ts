import type { ExchangeEvidence, HarvestFacts } from '@copydesk/domain/pools';

/** A fresh read of an empty account. */
export const EMPTY_EXCHANGE: ExchangeEvidence = {
  ageMs: 1_000,
  openPositions: 0,
  openOrders: 0,
  unstoredPositions: 0,
  balanceUnits: 0n,
  owedUnits: 0n,
  leftUnits: 0n,
  openWithdrawals: 0,
};

/** Facts under which the guards of starting, opening and stopping hold. */
export const HEALTHY_FACTS: HarvestFacts = {
  now: new Date('2026-03-01T12:00:00Z'),
  deadline: new Date('2026-03-01T12:00:00Z'),
  isHeldByRun: false,
  hasBot: false,
  isAcknowledged: true,
  isResumeAwaited: true,
  exchange: EMPTY_EXCHANGE,
  earlierExchange: { ...EMPTY_EXCHANGE, ageMs: 11_000 },
  startBalanceUnits: 0n,
  returnedUnits: 0n,
  withdrawalFeeUnits: 0n,
  dustUnits: 1n,
  valuationReasons: [],
  isValuationApproved: false,
  missingUnits: 0n,
  hasSecondPerson: true,
  uncoveredUnits: 0n,
  areBooksBalanced: true,
  unchargedMembers: 0,
  pendingOperations: 0,
  isDepositAddressApproved: true,
  drawdown: '0',
  maxDrawdown: null,
  fundingUnits: 100n,
  creditedUnits: 100n,
  transitUnits: 0n,
  failure: null,
  resolution: 'repeat',
  isOwnerJustTold: false,
  hasOwnerChat: true,
  arePaymentsStopped: false,
  hasEvidence: true,
};
