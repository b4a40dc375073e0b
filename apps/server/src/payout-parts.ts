import { decimalToUnits } from '@copydesk/domain';
import type { Config } from './config.ts';
import { openPaidBooks } from './features/invoices/paid-books.ts';
import { postJournals } from './features/ledger/ledger.service.ts';
import { reserveAll, voidReservations } from './features/ledger/reservations.service.ts';
import type { PayoutDeps, PayoutSettings } from './features/payouts/payout-deps.ts';

/** What payouts are planned with: the ledger, and the books of invoices that were imported. */
export const PAYOUT_PARTS: PayoutDeps = {
  books: {
    reserve: reserveAll,
    release: voidReservations,
    open: (tx, invoiceIds) => openPaidBooks(tx, { post: postJournals }, invoiceIds),
  },
};

/** Where, in what and from which amount on with a second person payouts are made. */
export function payoutSettings({
  chain,
  approvalAboveUsdt,
  approverMinHours,
}: Pick<Config, 'chain' | 'approvalAboveUsdt' | 'approverMinHours'>): PayoutSettings {
  const { chainId, tokenAddress } = chain;
  return {
    chainId,
    tokenAddress,
    approvalAboveUnits: approvalAboveUsdt === null ? null : decimalToUnits(approvalAboveUsdt),
    approverMinAgeMs: approverMinHours * 3_600_000,
  };
}
