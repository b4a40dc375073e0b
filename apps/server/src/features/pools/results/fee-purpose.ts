import { payableParts, poolFeeMoved, VALUED_CHUNK } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import { insertPayables } from '../../../core/ledger/insert-payables.store.ts';
import type { TransferPurpose } from '../../../core/transfers/transfer-purpose.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { whyNoFee } from '../flows/pool-facts.ts';
import { lockUnpaid, recordPaidByPool } from './pool-invoices.store.ts';

/**
 * Moves the fees of a cycle to the community's wallet. It pays the invoices of that cycle and no others, and their
 * payables need no consolidation: the money is where they are paid from.
 */
export const poolFeePurpose: TransferPurpose = {
  whyNotBacked: whyNoFee,
  goesTo: 'own_wallet',

  async journalsOf(tx, transfers) {
    const postings = [];
    for (const { id, communityId } of transfers) {
      const { cycleId, poolId } = await findCycleOf(tx, id);
      const invoices = await lockUnpaid(tx, cycleId);
      for (let from = 0; from < invoices.length; from += VALUED_CHUNK)
        postings.push({
          draft: poolFeeMoved(
            { poolId, communityId: communityId as string },
            invoices.slice(from, from + VALUED_CHUNK),
            { type: 'harvest_cycle', id: `${cycleId}:fee:${from / VALUED_CHUNK}` },
          ),
        });
    }
    return postings;
  },

  async onEnded(tx, ended, { now }) {
    for (const { transfer, state } of ended) {
      const { cycleId } = await findCycleOf(tx, transfer.id);
      if (state !== 'final') continue;
      const invoices = await lockUnpaid(tx, cycleId);
      await insertPayables(
        tx,
        invoices.flatMap((invoice) =>
          payableParts(invoice).map((part) => ({
            ...part,
            invoiceId: invoice.invoiceId,
            paymentId: null,
            consolidationId: transfer.id,
          })),
        ),
      );
      await recordPaidByPool(tx, cycleId, now());
      for (const { invoiceId, amountUnits } of invoices)
        tx.audit({
          action: 'invoice.paid',
          target: { kind: 'invoice', id: invoiceId },
          before: { status: 'pending', paid_units: '0' },
          after: { status: 'paid', paid_units: amountUnits.toString(), settled_by: 'pool' },
        });
    }
  },
};

async function findCycleOf(tx: WriteTx, transferId: string): Promise<{ cycleId: string; poolId: string }> {
  const { rows } = await sql<{ cycleId: string; poolId: string }>`
    SELECT h.id AS "cycleId", h.pooled_account_id AS "poolId" FROM harvest_cycle h
    WHERE h.fee_transfer_id = ${transferId} FOR SHARE`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`transfer ${transferId} moves the fees of no cycle`);
  return row;
}
