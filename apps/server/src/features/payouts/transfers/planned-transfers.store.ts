import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** Payouts among these without a transfer under way or final. */
export async function listUnordered(tx: WriteTx, payoutIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT o.id FROM payout o
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND NOT EXISTS (SELECT FROM transfer i
      WHERE i.payout_id = o.id AND i.state IN ('planned', 'sent', 'final'))
    ORDER BY o.id`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
