import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** Ids of open reservations of one source type, by the id of their source. */
export async function groupOpenReservations(
  tx: Tx,
  sourceType: string,
  sourceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ source_id: string; ids: string[] }>`
    SELECT r.source_id, array_agg(r.id ORDER BY r.id) AS ids FROM ledger_reservation r
    WHERE r.source_type = ${sourceType} AND r.source_id = ANY (${[...sourceIds]}::text[])
      AND NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id)
    GROUP BY r.source_id`.execute(tx.sql);
  return new Map(rows.map(({ source_id, ids }) => [source_id, ids]));
}

/** Ids of open reservations of these sources of one type. */
export async function listOpenReservations(
  tx: Tx,
  sourceType: string,
  sourceIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM ledger_reservation r
    WHERE r.source_type = ${sourceType} AND r.source_id = ANY (${[...sourceIds]}::text[])
      AND NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id)`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
