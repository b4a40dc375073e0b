import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** The community wallet and token of a community's transfers. */
export interface TransferPlace {
  communityId: string;
  communityWallet: { id: string; address: string };
  tokenAddress: string;
}

/** Consolidations of these payouts that ended without having moved anything. */
export async function listFailedConsolidations(tx: WriteTx, payoutIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT i.id FROM transfer i WHERE i.state IN ('reverted', 'cancelled', 'void')
      AND i.id IN (SELECT y.consolidation_id FROM payable y WHERE y.payout_id = ANY (${[...payoutIds]}::uuid[]))
    ORDER BY i.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
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
