import type { RecipientType } from '../catalogue.ts';
import { buildJournal, type JournalDraft, type LedgerSource } from './ledger.ts';
import { ledgerAccount, type OfInvoice } from './ledger-accounts.ts';

// Movements on chain. Amounts are base units of the token, or wei for gas. A source is the final transfer or the
// payout, and belongs to one journal.

/** Tokens arrived at a trader's deposit address. */
export function depositReceived(traderId: string, units: bigint, source: LedgerSource): JournalDraft {
  return buildJournal({ kind: 'deposit_received', source, providerId: null }, [
    { debit: ledgerAccount.depositWallet(traderId), credit: ledgerAccount.traderDeposit(traderId), units },
  ]);
}

/** A trader's credit was sent back to it from its deposit address. */
export function creditReturned(traderId: string, units: bigint, source: LedgerSource): JournalDraft {
  return buildJournal({ kind: 'credit_returned', source, providerId: null }, [
    { debit: ledgerAccount.traderDeposit(traderId), credit: ledgerAccount.depositWallet(traderId), units },
  ]);
}

/** Deposit addresses were emptied into the community's wallet. */
export function consolidated(
  communityId: string,
  from: readonly { traderId: string; units: bigint }[],
  source: LedgerSource,
): JournalDraft {
  return buildJournal(
    { kind: 'consolidated', source, providerId: null },
    from.map(({ traderId, units }) => ({
      debit: ledgerAccount.communityWallet(communityId),
      credit: ledgerAccount.depositWallet(traderId),
      units,
    })),
  );
}

/** Payables were paid out of the community's wallet. */
export function distributed(
  communityId: string,
  payables: readonly (OfInvoice & { recipientType: RecipientType; units: bigint })[],
  source: LedgerSource,
): JournalDraft {
  return buildJournal(
    { kind: 'distributed', source, providerId: null },
    payables.map(({ recipientType, units, ...invoice }) => ({
      debit: ledgerAccount.payable(invoice, recipientType),
      credit: ledgerAccount.communityWallet(communityId),
      units,
    })),
  );
}

/**
 * The platform added coin for gas.
 * @param communityId the community whose transactions it is for; null for those of the platform
 */
export function gasFunded(
  wei: bigint,
  source: LedgerSource,
  communityId: string | null = null,
): JournalDraft {
  return buildJournal({ kind: 'gas_funded', source, providerId: null }, [
    {
      debit: ledgerAccount.gasWallet(communityId),
      credit: ledgerAccount.platform('BNB', communityId),
      units: wei,
    },
  ]);
}

/**
 * A transaction fee was paid.
 * @param communityId the community whose transaction it was; null for the platform
 */
export function gasSpent(wei: bigint, source: LedgerSource, communityId: string | null = null): JournalDraft {
  return buildJournal({ kind: 'gas_spent', source, providerId: null }, [
    { debit: ledgerAccount.gasSpent(communityId), credit: ledgerAccount.gasWallet(communityId), units: wei },
  ]);
}
