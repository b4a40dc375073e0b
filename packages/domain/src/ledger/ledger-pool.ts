import {
  buildJournal,
  type JournalDraft,
  type JournalKind,
  type LedgerSource,
  type Movement,
} from './ledger.ts';
import { ledgerAccount } from './ledger-accounts.ts';

// Movements of a pool's money that do not depend on a result. Amounts are USDT base units. After every journal the
// capital of the members equals proxy + transit + exchange + shortfall - returned - fees due - unexplained.

/** Tokens are final at the pool address of a member. @param source the entry in the chain's log */
export function poolDepositSeen(memberId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_deposit_seen', source, [
    { debit: ledgerAccount.poolDepositWallet(memberId), credit: ledgerAccount.poolPending(memberId), units },
  ]);
}

/**
 * A collected deposit becomes capital. It is posted when the collecting transfer is final, so the tokens change their
 * place and their meaning at once.
 * @param source the deposit request
 */
export function poolDepositAdmitted(
  { poolId, memberId }: { poolId: string; memberId: string },
  units: bigint,
  source: LedgerSource,
): JournalDraft {
  return journal('pool_deposit_admitted', source, [
    { debit: ledgerAccount.poolProxy(poolId), credit: ledgerAccount.poolCapital(memberId), units },
    { debit: ledgerAccount.poolPending(memberId), credit: ledgerAccount.poolDepositWallet(memberId), units },
  ]);
}

/** A deposit was asked back before it was collected, and is paid. @param source the deposit request */
export function poolDepositReturned(memberId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_deposit_returned', source, [
    { debit: ledgerAccount.poolPending(memberId), credit: ledgerAccount.poolDepositWallet(memberId), units },
  ]);
}

/** A withdrawal is paid out of the proxy wallet. @param source the withdrawal request */
export function poolWithdrawalPaid(
  { poolId, memberId }: { poolId: string; memberId: string },
  units: bigint,
  source: LedgerSource,
): JournalDraft {
  return journal('pool_withdrawal_paid', source, [
    { debit: ledgerAccount.poolCapital(memberId), credit: ledgerAccount.poolProxy(poolId), units },
  ]);
}

/** The funding transfer to the exchange is final. @param source the cycle, with the number of the attempt */
export function poolSent(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_sent', source, [
    { debit: ledgerAccount.poolTransit(poolId), credit: ledgerAccount.poolProxy(poolId), units },
  ]);
}

/** The exchange credited the funding transfer. Any deposit fee appears in the next result. @param source as of `poolSent` */
export function poolCredited(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_credited', source, [
    { debit: ledgerAccount.poolExchange(poolId), credit: ledgerAccount.poolTransit(poolId), units },
  ]);
}

/** The exchange sent the funding transfer back to the proxy wallet. @param source as of `poolSent` */
export function poolBounced(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_bounced', source, [
    { debit: ledgerAccount.poolProxy(poolId), credit: ledgerAccount.poolTransit(poolId), units },
  ]);
}

/** A withdrawal from the exchange is final at the proxy wallet. @param source the entry in the chain's log */
export function poolFundsReturned(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_funds_returned', source, [
    { debit: ledgerAccount.poolProxy(poolId), credit: ledgerAccount.poolReturned(poolId), units },
  ]);
}

/** Any other transfer is final at the proxy wallet. @param source the entry in the chain's log */
export function poolUnexplainedIn(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_unexplained_in', source, [
    { debit: ledgerAccount.poolProxy(poolId), credit: ledgerAccount.poolUnexplained(poolId), units },
  ]);
}

/** Decisions about money with an unknown owner. */
export const UNEXPLAINED_ENDS = ['is_return', 'sent_back', 'covers_shortfall'] as const;
export type UnexplainedEnd = (typeof UNEXPLAINED_ENDS)[number];

/**
 * Two people decided about money with an unknown owner: it is a withdrawal from the exchange, it was sent back to its
 * sender (posted when that transfer is final), or it was paid in to cover a shortfall.
 * @param source the decision
 */
export function poolUnexplainedResolved(
  poolId: string,
  { end, units }: { end: UnexplainedEnd; units: bigint },
  source: LedgerSource,
): JournalDraft {
  const credit = {
    is_return: ledgerAccount.poolReturned,
    sent_back: ledgerAccount.poolProxy,
    covers_shortfall: ledgerAccount.poolShortfall,
  }[end](poolId);
  return journal('pool_unexplained_resolved', source, [
    { debit: ledgerAccount.poolUnexplained(poolId), credit, units },
  ]);
}

/**
 * Money that two people took for a withdrawal from the exchange is unexplained again.
 * @param source the decision
 */
export function poolReturnUndone(poolId: string, units: bigint, source: LedgerSource): JournalDraft {
  return journal('pool_return_undone', source, [
    { debit: ledgerAccount.poolReturned(poolId), credit: ledgerAccount.poolUnexplained(poolId), units },
  ]);
}

/**
 * Money is gone. Lost on its way to the exchange, it is part of the next result; lost at the exchange, it exceeds the
 * capital of the pool.
 * @param source the cycle, with the place of the loss: a cycle may have both
 */
export function poolLost(
  poolId: string,
  { from, units }: { from: 'pool_transit' | 'pool_exchange'; units: bigint },
  source: LedgerSource,
): JournalDraft {
  const credit =
    from === 'pool_transit' ? ledgerAccount.poolTransit(poolId) : ledgerAccount.poolExchange(poolId);
  return journal('pool_lost', source, [{ debit: ledgerAccount.poolShortfall(poolId), credit, units }]);
}

function journal(kind: JournalKind, source: LedgerSource, movements: readonly Movement[]): JournalDraft {
  return buildJournal({ kind, source, providerId: null }, movements);
}
