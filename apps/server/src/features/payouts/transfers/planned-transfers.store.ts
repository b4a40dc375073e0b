import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** Where transfers of a community's payouts meet, and in which token. */
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

/** What these were to bring is to be ordered again, for all who waited for them. */
export async function forgetConsolidations(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await sql`UPDATE payable y SET consolidation_id = NULL WHERE y.consolidation_id = ANY (${[...ids]}::uuid[])`.execute(
    tx.sql,
  );
}

/** Orders that deposit addresses are emptied into the community's wallet, and notes which shares that backs. */
export async function insertConsolidations(
  tx: WriteTx,
  { communityId, communityWallet, tokenAddress }: TransferPlace,
  consolidations: readonly NewConsolidation[],
): Promise<void> {
  const ids = consolidations.map(({ id }) => id);
  await sql`
    INSERT INTO transfer (id, kind, wallet_id, community_id, to_address, token_address, amount_units)
    SELECT n.id, 'consolidate', n.wallet_id, ${communityId}::uuid, ${communityWallet.address}, ${tokenAddress}, n.units
    FROM unnest(${ids}::uuid[], ${consolidations.map(({ walletId }) => walletId)}::uuid[],
      ${consolidations.map(({ units }) => units.toString())}::numeric[]) AS n (id, wallet_id, units)`.execute(
    tx.sql,
  );
  const backed = consolidations.flatMap(({ id, payableIds }) =>
    payableIds.map((payableId) => [id, payableId]),
  );
  const { numAffectedRows } = await sql`
    UPDATE payable y SET consolidation_id = n.id
    FROM unnest(${backed.map(([id]) => id)}::uuid[], ${backed.map(([, payableId]) => payableId)}::uuid[])
      AS n (id, payable_id)
    WHERE y.id = n.payable_id AND y.consolidation_id IS NULL`.execute(tx.sql);
  if (Number(numAffectedRows) !== backed.length)
    throw new Error('a share was consolidated meanwhile: somebody does not lock its community');
}

/** Orders one transfer for each of these payouts that has none which stands. */
export async function insertPayments(
  tx: WriteTx,
  { communityId, communityWallet, tokenAddress }: TransferPlace,
  payoutIds: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO transfer (kind, wallet_id, community_id, payout_id, to_address, token_address, amount_units)
    SELECT 'distribute', ${communityWallet.id}::uuid, ${communityId}::uuid, o.id, o.recipient_address, ${tokenAddress},
      o.amount_units
    FROM payout o
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND NOT EXISTS (SELECT FROM transfer i
      WHERE i.payout_id = o.id AND i.state IN ('planned', 'sent', 'final'))`.execute(tx.sql);
}

/**
 * Says how far these payouts are: what has all come in may go out at once. The hash is that of the last transfer
 * which brought it.
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
