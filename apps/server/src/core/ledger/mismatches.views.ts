import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

export type MismatchKind =
  | 'journal'
  | 'posted'
  | 'pending'
  | 'overdrawn'
  | 'balance_missing'
  | 'pool_capital'
  | 'pool_open';

export interface Mismatch {
  kind: MismatchKind;
  /** Id of the journal, of the account or of the pool. */
  id: string;
  /** Base units. */
  expected: string | null;
  found: string | null;
}

/** More mismatches than this have one cause, and the first ones show it. */
const LISTED = 100;

/**
 * Inconsistencies in the ledger, from one snapshot: unbalanced journals, and balances that differ from the sum of their
 * postings or of their open reservations. Nothing is corrected.
 * @param since checks postings from then on, and every open reservation; null checks everything
 */
export async function listMismatches(tx: Tx, since: Date | null): Promise<Mismatch[]> {
  if (tx.scope.kind !== 'all') throw new Error('reconciling the ledger needs the scope of everything');
  const journals = since
    ? sql`journal_id IN (SELECT id FROM journal WHERE created_at >= ${since})`
    : sql`true`;
  const accounts = since
    ? sql`a.id IN (SELECT account_id FROM posting WHERE ${journals}
        UNION SELECT account_id FROM reserved
        UNION SELECT id FROM ledger_account WHERE created_at >= ${since})`
    : sql`true`;
  const { rows } = await sql<Mismatch>`
    WITH reserved AS MATERIALIZED (
      SELECT r.account_id, sum(r.amount) AS amount FROM ledger_reservation r
      WHERE NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id) GROUP BY r.account_id),
    account AS (
      SELECT a.id, a.allow_negative, a.side * coalesce(p.sum, 0) AS posted, coalesce(reserved.amount, 0) AS pending,
        b.account_id IS NULL AS is_missing, b.posted AS kept_posted, b.pending AS kept_pending
      FROM ledger_account a
      LEFT JOIN ledger_balance b ON b.account_id = a.id
      LEFT JOIN reserved ON reserved.account_id = a.id
      LEFT JOIN ${since ? sql`LATERAL (SELECT sum(amount) AS sum FROM posting WHERE account_id = a.id) p ON true` : sql`(SELECT account_id, sum(amount) AS sum FROM posting GROUP BY account_id) p ON p.account_id = a.id`}
      WHERE ${accounts})
    SELECT kind, id, trim_scale(expected)::text AS expected, trim_scale(found)::text AS found FROM (
      SELECT 'journal' AS kind, journal_id AS id, 0 AS expected, sum(amount) AS found
      FROM posting WHERE ${journals} GROUP BY journal_id, asset HAVING sum(amount) <> 0
      UNION ALL
      SELECT 'journal', id, 2, 0 FROM journal WHERE NOT EXISTS (SELECT FROM posting p WHERE p.journal_id = journal.id)
        ${since ? sql`AND created_at >= ${since}` : sql``}
      UNION ALL SELECT 'balance_missing', id, posted, NULL FROM account WHERE is_missing
      UNION ALL SELECT 'posted', id, posted, kept_posted FROM account WHERE posted <> kept_posted
      UNION ALL SELECT 'pending', id, pending, kept_pending FROM account WHERE pending <> kept_pending
      UNION ALL SELECT 'overdrawn', id, 0, posted - pending FROM account
      WHERE NOT allow_negative AND posted < pending) found
    LIMIT ${sql.lit(LISTED)}`.execute(tx.sql);
  return rows;
}
