import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { refusingOverdraft } from './ledger.store.ts';

export interface ReservationRow {
  id: string;
  account_id: string;
  /** Base units. */
  amount: string;
}

/** The reservation of an amount for a source; the one that is there when the source has made it before. */
export async function insertReservation(
  tx: WriteTx,
  { accountId, units, source }: { accountId: string; units: bigint; source: { type: string; id: string } },
): Promise<ReservationRow & { is_new: boolean }> {
  const { rows } = await refusingOverdraft(
    sql<ReservationRow>`
    INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
    VALUES (${accountId}, ${units.toString()}::numeric, ${source.type}, ${source.id},
      ${tx.actor.kind}, ${tx.actor.id}, ${tx.actor.name})
    ON CONFLICT (source_type, source_id, account_id) DO NOTHING
    RETURNING id, account_id, amount::text`.execute(tx.sql),
  );
  if (rows[0]) return { ...rows[0], is_new: true };
  const before = await sql<ReservationRow>`
    SELECT id, account_id, amount::text FROM ledger_reservation
    WHERE source_type = ${source.type} AND source_id = ${source.id} AND account_id = ${accountId}`.execute(
    tx.sql,
  );
  return { ...(before.rows[0] as ReservationRow), is_new: false };
}

export async function listReservedAccounts(tx: WriteTx, reservationIds: readonly string[]) {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM ledger_reservation WHERE id = ANY (${[...reservationIds]}::uuid[])`.execute(
    tx.sql,
  );
  return rows.map((row) => row.account_id);
}

/** Ends those that have not ended, in the order of their ids, and answers how many that were. */
export async function endReservations(
  tx: WriteTx,
  reservationIds: readonly string[],
  journalId: string | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO ledger_reservation_end (reservation_id, journal_id, actor_kind, actor_id, actor_name)
    SELECT id, ${journalId}::uuid, ${tx.actor.kind}::text, ${tx.actor.id}::text, ${tx.actor.name}::text
    FROM ledger_reservation WHERE id = ANY (${[...reservationIds]}::uuid[]) ORDER BY id
    ON CONFLICT (reservation_id) DO NOTHING`.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

/** How many of these were voided. */
export async function countVoided(tx: WriteTx, reservationIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ledger_reservation_end
    WHERE reservation_id = ANY (${[...reservationIds]}::uuid[]) AND journal_id IS NULL`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}
