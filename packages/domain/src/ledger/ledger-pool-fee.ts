import { buildJournal, type JournalDraft, type LedgerSource } from './ledger.ts';
import { ledgerAccount } from './ledger-accounts.ts';
import { type LedgerInvoice, payableParts } from './ledger-invoice.ts';

/**
 * A member is charged the fee of a cycle. Posted with `invoiceIssued` of the same invoice.
 * @param source the cycle and the member
 */
export function poolFeeCharged(
  { poolId, memberId }: { poolId: string; memberId: string },
  units: bigint,
  source: LedgerSource,
): JournalDraft {
  return buildJournal({ kind: 'pool_fee_charged', source, providerId: null }, [
    { debit: ledgerAccount.poolCapital(memberId), credit: ledgerAccount.poolFeesDue(poolId), units },
  ]);
}

/**
 * The fee transfer from the proxy wallet to the community's wallet is final: it pays the invoices of the cycle in full
 * and no others. Their shares become payable out of the community's wallet at once, without a consolidation.
 * @param invoices unpaid invoices of the cycle. All of them, or one journal for each chunk, in one transaction.
 * @param source the cycle, with the chunk
 */
export function poolFeeMoved(
  { poolId, communityId }: { poolId: string; communityId: string },
  invoices: readonly LedgerInvoice[],
  source: LedgerSource,
): JournalDraft {
  const units = invoices.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  return buildJournal({ kind: 'pool_fee_moved', source, providerId: null }, [
    { debit: ledgerAccount.poolFeesDue(poolId), credit: ledgerAccount.poolProxy(poolId), units },
    ...invoices.flatMap((invoice) => [
      {
        debit: ledgerAccount.communityWallet(communityId),
        credit: ledgerAccount.receivable(invoice),
        units: invoice.amountUnits,
      },
      ...payableParts(invoice).map((part) => ({
        debit: ledgerAccount.billed(invoice),
        credit: ledgerAccount.payable(invoice, part.recipientType),
        units: part.amountUnits,
      })),
    ]),
  ]);
}
