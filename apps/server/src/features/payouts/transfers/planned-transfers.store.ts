import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** The community wallet and token of a community's transfers. */
export interface TransferPlace {
  communityId: string;
  communityWallet: { id: string; address: string };
  tokenAddress: string;
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
