import { mostOf } from '../../money/order-units.ts';
import { unitsToDecimal } from '../../money/token-units.ts';
import { isBreakerTripped } from '../capital/circuit-breaker.ts';
import type { HarvestRefusal } from './harvest-events.ts';
import type { ExchangeEvidence, HarvestFacts } from './harvest-facts.ts';
import type { FailureReason } from './harvest-states.ts';

/** The refusal of a guard that does not hold. */
export interface GuardRefusal {
  code: HarvestRefusal;
  detail: string;
}

/** A condition of a transition: null when it holds. */
export type HarvestGuard = (facts: HarvestFacts) => GuardRefusal | null;

/** A read of the exchange that decides something may not be older. */
const FRESH_MS = 60_000;
/** Two reads of a check are at least this far apart. */
const READS_APART_MS = 10_000;

const guard =
  (code: HarvestRefusal, holds: (facts: HarvestFacts) => boolean, detail: (facts: HarvestFacts) => string) =>
  (facts: HarvestFacts): GuardRefusal | null =>
    holds(facts) ? null : { code, detail: detail(facts) };

const isEmpty = ({ openPositions, openOrders }: ExchangeEvidence) => openPositions === 0 && openOrders === 0;

export const isNotHeld = guard(
  'invalid_status',
  ({ isHeldByRun }) => !isHeldByRun,
  () => 'A global run holds this pool',
);
export const isFresh = guard(
  'evidence_old',
  ({ exchange }) => exchange !== null && exchange.ageMs <= FRESH_MS,
  ({ exchange }) =>
    exchange ? `The last read is ${Math.round(exchange.ageMs / 1000)} s old` : 'No read yet',
);
export const hasNoPositions = guard(
  'open_positions_exist',
  ({ exchange }) => exchange !== null && isEmpty(exchange),
  ({ exchange }) => `${exchange?.openPositions ?? 0} positions, ${exchange?.openOrders ?? 0} orders`,
);
export const hasStoredPositions = guard(
  'uninvoiced_positions',
  ({ exchange }) => exchange?.unstoredPositions === 0,
  ({ exchange }) => `${exchange?.unstoredPositions ?? 0} closed positions are not stored`,
);
export const isStillEmpty = guard(
  'evidence_old',
  ({ exchange, earlierExchange }) =>
    exchange !== null &&
    earlierExchange !== null &&
    isEmpty(earlierExchange) &&
    earlierExchange.ageMs - exchange.ageMs >= READS_APART_MS,
  () => 'Two reads without positions, 10 s apart, are needed',
);
export const hasNewAcknowledgement = guard(
  'acknowledgement_old',
  ({ isAcknowledged }) => isAcknowledged,
  () => 'The acknowledgement is older than the request',
);
export const hasNoBot = guard(
  'bot_attached',
  ({ hasBot }) => !hasBot,
  () => 'The trading bot of this pool acknowledges',
);
export const awaitsResume = guard(
  'invalid_status',
  ({ isResumeAwaited }) => isResumeAwaited,
  () => 'Trading has not been paused',
);
export const hasPositions = guard(
  'no_positions_found',
  ({ exchange }) => exchange !== null && !isEmpty(exchange),
  () => 'The last read shows no positions and no orders',
);
export const hasNoReturns = guard(
  'funds_moved',
  ({ returnedUnits }) => returnedUnits === 0n,
  ({ returnedUnits }) => `${returnedUnits} base units have returned`,
);
export const hasFullBalance = guard(
  'balance_incomplete',
  ({ exchange, startBalanceUnits }) =>
    exchange !== null && mostOf(exchange.balanceUnits, 0n) >= startBalanceUnits,
  ({ exchange, startBalanceUnits }) => `${exchange?.balanceUnits ?? 0n} of ${startBalanceUnits} base units`,
);
/** Unreadable withdrawals pass: the balance and the chain show the progress then. */
export const hasNoWithdrawal = guard(
  'withdrawal_under_way',
  ({ exchange }) => exchange !== null && (exchange.openWithdrawals ?? 0) === 0,
  ({ exchange }) => `${exchange?.openWithdrawals ?? 0} withdrawals have not ended`,
);
export const canReadWithdrawals = guard(
  'second_person_required',
  ({ exchange, hasSecondPerson }) => exchange?.openWithdrawals != null || hasSecondPerson,
  () => 'Withdrawals of this account cannot be read',
);
export const isAtDust = guard(
  'above_dust',
  ({ exchange, dustUnits }) => exchange !== null && exchange.balanceUnits <= dustUnits,
  ({ exchange, dustUnits }) => `${exchange?.balanceUnits ?? 0n} base units left, dust is ${dustUnits}`,
);
const owedOf = ({ exchange }: HarvestFacts) => exchange?.owedUnits ?? 0n;
/** A debt is not dust: the members who stay would pay it. */
export const hasNoDebt = guard(
  'usdt_owed',
  (facts) => owedOf(facts) === 0n,
  (facts) => `${unitsToDecimal(owedOf(facts))} USDT are owed at the exchange`,
);
/** Even two people cannot book money that is somewhere else as a loss. */
export const hasNothingMissing = guard(
  'money_missing',
  ({ missingUnits }) => missingUnits === 0n,
  ({ missingUnits }) => `${unitsToDecimal(missingUnits)} USDT left trading and are not back`,
);
/**
 * Dust is the tolerance, because a fee may be unreadable. What left another way does not return: the valuation asks where
 * it is.
 */
export const hasReturns = guard(
  'returns_missing',
  ({ exchange, startBalanceUnits, returnedUnits, withdrawalFeeUnits, dustUnits }) =>
    returnedUnits + withdrawalFeeUnits + dustUnits + (exchange?.leftUnits ?? 0n) >= startBalanceUnits,
  ({ startBalanceUnits, returnedUnits }) => `${returnedUnits} of ${startBalanceUnits} base units returned`,
);
export const isHealthy = guard(
  'approval_required',
  ({ valuationReasons, isValuationApproved }) => valuationReasons.length === 0 || isValuationApproved,
  ({ valuationReasons }) => valuationReasons.join(', '),
);
export const isAnotherPerson = guard(
  'own_approval',
  ({ hasSecondPerson }) => hasSecondPerson,
  () => 'Another super admin must approve',
);
export const hasBalancedBooks = guard(
  'books_differ',
  ({ areBooksBalanced }) => areBooksBalanced,
  () => 'The capital differs from the accounts of the pool',
);
export const hasChargedAll = guard(
  'fees_uncharged',
  ({ unchargedMembers }) => unchargedMembers === 0,
  ({ unchargedMembers }) => `${unchargedMembers} members are not charged yet`,
);
export const hasNothingPending = guard(
  'pending_operations',
  ({ pendingOperations }) => pendingOperations === 0,
  ({ pendingOperations }) => `${pendingOperations} deposits, withdrawals or fee transfers are under way`,
);
export const hasApprovedAddress = guard(
  'deposit_address_not_approved',
  ({ isDepositAddressApproved }) => isDepositAddressApproved,
  () => 'The deposit address of the exchange is not the approved one',
);
export const isWithinDrawdown = guard(
  'circuit_breaker',
  ({ drawdown, maxDrawdown }) => !isBreakerTripped(drawdown, maxDrawdown),
  ({ drawdown, maxDrawdown }) => `drawdown ${drawdown}%, limit ${maxDrawdown}%`,
);
export const isCreditedInFull = guard(
  'amount_differs',
  ({ creditedUnits, fundingUnits }) => creditedUnits === fundingUnits,
  ({ creditedUnits, fundingUnits }) => `${creditedUnits} of ${fundingUnits} base units were credited`,
);
export const isLate = guard(
  'deadline_not_passed',
  ({ now, deadline }) => deadline !== null && now >= deadline,
  () => 'The deadline is in the future',
);

const NEEDS_DECISION: readonly (FailureReason | null)[] = ['deposit_rejected', 'shortfall'];
export const canRepeat = guard(
  'decision_required',
  ({ failure }) => !NEEDS_DECISION.includes(failure),
  ({ failure }) => `${failure}`,
);
export const hasTwoPeople = guard(
  'second_person_required',
  ({ hasSecondPerson }) => hasSecondPerson,
  () => 'Two super admins must decide',
);
export const hasResolution = guard(
  'evidence_missing',
  ({ hasEvidence, resolution }) => hasEvidence && resolution !== null,
  () => 'A decision needs evidence',
);
/** A bounced funding transfer is booked as soon as it is final, which empties the transit account. */
export const hasNothingInTransit = guard(
  'returns_missing',
  ({ transitUnits }) => transitUnits === 0n,
  ({ transitUnits }) => `${transitUnits} base units are still in transit`,
);
/** What came back is not lost: it is planned again, or the pool would trade without it. */
export const hasLost = guard(
  'evidence_missing',
  ({ transitUnits }) => transitUnits > 0n,
  () => 'Nothing is in transit: the funding transfer came back',
);
/** Decisions about funding belong to a failed credit. */
export const isToRepeat = guard(
  'evidence_missing',
  ({ resolution }) => resolution === 'repeat',
  ({ resolution }) => `${resolution} does not fit the failed step`,
);

/** Two people, or a second click, send one reminder. */
export const isNotJustTold = guard(
  'reminded_lately',
  ({ isOwnerJustTold }) => !isOwnerJustTold,
  () => 'The owner was written to within the last minutes',
);
export const canBeTold = guard(
  'owner_unreachable',
  ({ hasOwnerChat }) => hasOwnerChat,
  () => 'The owner has no Telegram id',
);
/** While payments are stopped no one is asked to send us money. */
export const arePaymentsOn = guard(
  'payments_stopped',
  ({ arePaymentsStopped }) => !arePaymentsStopped,
  () => 'All payments are stopped',
);
