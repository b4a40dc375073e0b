import type pg from 'pg';
import type { LedgerWorld } from './ledger-world.ts';

export type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Runs statements as a worker, which may post everything, in one transaction with full scope, and commits. */
export async function cheat(
  { pool }: LedgerWorld,
  work: (query: Query) => Promise<unknown>,
  begin = 'BEGIN',
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    await client.query(
      "SELECT set_config('role', 'copydesk_worker', true), set_config('copydesk.scope', 'all', true)",
    );
    await work((text, values) => client.query(text, values));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

export async function insertJournal(
  query: Query,
  kind = 'gas_spent',
  reverses: string | null = null,
): Promise<string> {
  const { rows } = await query(
    `INSERT INTO journal (kind, source_type, source_id, reverses, actor_kind, actor_id, actor_name)
     VALUES ($1, 'cheat', gen_random_uuid()::text, $2, 'system', 'x', 'x') RETURNING id`,
    [kind, reverses],
  );
  return rows[0].id;
}

export function insertPostings(
  query: Query,
  journalId: string,
  ...postings: [account: string, amount: string][]
) {
  return query(
    `INSERT INTO posting (journal_id, account_id, asset, amount)
     SELECT $1, * FROM unnest($2::uuid[], array_fill('USDT'::text, ARRAY[$4::int]), $3::numeric[])`,
    [journalId, postings.map(([account]) => account), postings.map(([, amount]) => amount), postings.length],
  );
}

export function insertReservation(query: Query, accountId: string, amount: string) {
  return query(
    `INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
     VALUES ($1, $2, 'cheat', gen_random_uuid()::text, 'system', 'x', 'x')`,
    [accountId, amount],
  );
}

export function insertEnd(query: Query, reservationId: string, journalId: string | null) {
  return query(
    `INSERT INTO ledger_reservation_end (reservation_id, journal_id, actor_kind, actor_id, actor_name)
     VALUES ($1, $2, 'system', 'x', 'x')`,
    [reservationId, journalId],
  );
}
