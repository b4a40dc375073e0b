import { buildJournal, type JournalDraft, type LedgerSource } from './ledger.ts';
import { ledgerAccount } from './ledger-accounts.ts';

/** A deposit became final at a member's pool address. It waits there until the pool opens. */
export function poolDepositSeen(memberId: string, units: bigint, source: LedgerSource): JournalDraft {
  return buildJournal({ kind: 'pool_deposit_seen', source, providerId: null }, [
    { debit: ledgerAccount.poolDepositWallet(memberId), credit: ledgerAccount.poolPending(memberId), units },
  ]);
}
