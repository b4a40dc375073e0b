import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { refusingOverdraft } from './ledger.store.ts';

export interface NewReservation {
  source: { type: string; id: string };
  accountId: string;
  units: bigint;
}

export interface ReservationRow {
  id: string;
  source_type: string;
  source_id: string;
  account_id: string;
  /** Base units. */
  amount: string;
}

/**
 * Inserts reservations in one statement: its trigger sums them by account. Existing reservations of a source in an
 * account stay unchanged.
 */
export async function insertReservations(
  tx: WriteTx,
  reservations: readonly NewReservation[],
): Promise<void> {
  await refusingOverdraft(
    sql`
    INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
    SELECT n.account_id, n.amount, n.source_type, n.source_id, ${tx.actor.kind}::text, ${tx.actor.id}::text,
      ${tx.actor.name}::text
    FROM ${unnested(reservations)} ORDER BY n.source_type, n.source_id, n.account_id, n.amount
    ON CONFLICT (source_type, source_id, account_id) DO NOTHING`.execute(tx.sql),
  );
}

/** The reservations of these sources in these accounts, as stored. */
export async function findReservations(
  tx: WriteTx,
  reservations: readonly NewReservation[],
): Promise<ReservationRow[]> {
  const { rows } = await sql<ReservationRow>`
    SELECT r.id, r.source_type, r.source_id, r.account_id, r.amount::text AS amount
    FROM ${unnested(reservations)}
    JOIN ledger_reservation r
      ON (r.source_type, r.source_id, r.account_id) = (n.source_type, n.source_id, n.account_id)`.execute(
    tx.sql,
  );
  return rows;
}

function unnested(reservations: readonly NewReservation[]) {
  return sql`unnest(${reservations.map(({ accountId }) => accountId)}::uuid[],
    ${reservations.map(({ units }) => units.toString())}::numeric[],
    ${reservations.map(({ source }) => source.type)}::text[], ${reservations.map(({ source }) => source.id)}::text[])
    AS n (account_id, amount, source_type, source_id)`;
}

export async function listReservedAccounts(tx: WriteTx, reservationIds: readonly string[]) {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM ledger_reservation WHERE id = ANY (${[...reservationIds]}::uuid[])`.execute(
    tx.sql,
  );
  return rows.map((row) => row.account_id);
}

/** Ends the open ones among these, in the order of their ids, and returns their number. */
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

/** The number of voided reservations among these. */
export async function countVoided(tx: WriteTx, reservationIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ledger_reservation_end
    WHERE reservation_id = ANY (${[...reservationIds]}::uuid[]) AND journal_id IS NULL`.execute(tx.sql);
  return rows[0]?.count ?? 0;
}
