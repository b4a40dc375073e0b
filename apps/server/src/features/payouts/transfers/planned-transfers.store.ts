import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** The community wallet and token of a community's transfers. */
export interface TransferPlace {
  communityId: string;
  communityWallet: { id: string; address: string };
  tokenAddress: string;
}

export interface NewConsolidation {
  id: string;
  walletId: string;
  units: bigint;
  payableIds: readonly string[];
}

/** Consolidations of these payouts that ended without having moved anything. */
export async function listFailedConsolidations(tx: WriteTx, payoutIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM transfer i WHERE i.state IN ('reverted', 'cancelled', 'void')
      AND i.id IN (SELECT y.consolidation_id FROM payable y WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]))
    ORDER BY i.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** Unlinks failed consolidations from all their shares, so they can be ordered again. */
export async function forgetConsolidations(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`UPDATE payable y SET consolidation_id = NULL WHERE y.consolidation_id = ANY (${[...ids]}::uuid[])`.execute(
    tx.sql,
  );
}

/** Notes which shares these consolidations back. */
export async function backPayables(tx: WriteTx, consolidations: readonly NewConsolidation[]): Promise<void> {
  const backed = consolidations.flatMap(({ id, payableIds }) =>
    payableIds.map((payableId) => [id, payableId]),
  );
  const { numAffectedRows } = await sql`
    UPDATE payable y SET consolidation_id = n.id
    FROM unnest(${backed.map(([id]) => id)}::uuid[], ${backed.map(([, payableId]) => payableId)}::uuid[])
      AS n (id, payable_id)
    WHERE y.id = n.payable_id AND y.consolidation_id IS NULL`.execute(tx.sql);
  if (Number(numAffectedRows) !== backed.length)
    throw new Error('a share was consolidated meanwhile: its community was not locked');
}

/** The amounts that these payouts have not ordered yet: payouts without a transfer under way or final. */
export async function listUnordered(
  tx: WriteTx,
  payoutIds: readonly string[],
): Promise<{ payoutId: string; to: string; units: bigint }[]> {
  const { rows } = await sql<{ id: string; to_address: string; units: string }>`
    SELECT o.id, o.recipient_address AS to_address, o.amount_units::text AS units FROM payout o
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND NOT EXISTS (SELECT FROM transfer i
      WHERE i.payout_id = o.id AND i.state IN ('planned', 'sent', 'final'))
    ORDER BY o.id`.execute(tx.sql);
  return rows.map((row) => ({ payoutId: row.id, to: row.to_address, units: BigInt(row.units) }));
}

/**
 * Sets the status of these payouts. A payout whose consolidations are all final may go out at once. Its hash is that of
 * the last consolidation.
 */
export async function startPayouts(tx: WriteTx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE payout o SET version = o.version + 1, updated_at = now(), problem = NULL,
      status = CASE WHEN s.is_waiting THEN 'consolidating' ELSE 'consolidated' END,
      consolidate_transaction_hash = CASE WHEN NOT s.is_waiting THEN (
        SELECT t.hash FROM payable y JOIN transfer_attempt t ON t.transfer_id = y.consolidation_id
        WHERE y.payout_id = o.id AND t.is_success AND NOT t.is_cancel
        ORDER BY t.block_number DESC, t.hash LIMIT 1) END
    FROM (SELECT y.payout_id AS id, bool_or(c.state <> 'final') AS is_waiting
          FROM payable y JOIN transfer c ON c.id = y.consolidation_id
          WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]) GROUP BY y.payout_id) s
    WHERE o.id = s.id`.execute(tx.sql);
}
