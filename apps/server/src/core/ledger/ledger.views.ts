import type { JournalKind, LedgerAccount, LedgerSource } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

/** Amounts are decimal strings of base units. */
export interface Balance {
  account_id: string;
  posted: string;
  /** The reserved amount. */
  pending: string;
  available: string;
}

/** The balance of an account; null when it has no postings or is out of scope. */
export async function findBalance(tx: Tx, { kind, ownerId, asset }: LedgerAccount): Promise<Balance | null> {
  const { rows } = await sql<Balance>`
    SELECT b.account_id, b.posted::text, b.pending::text, (b.posted - b.pending)::text AS available
    FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
    WHERE a.kind = ${kind} AND a.owner_id = ${ownerId} AND a.asset = ${asset}
      AND ${providerInScope(tx, 'a.provider_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

export interface StatementLine {
  id: string;
  journal_id: string;
  kind: JournalKind;
  source_type: string;
  source_id: string;
  reverses: string | null;
  actor_name: string;
  created_at: string;
  /** Above zero is an increase, on either side of the ledger. */
  change: string;
  /** The account's balance after this line. */
  balance: string;
}

/**
 * The postings of an account, newest first. The running balance is computed backwards from the present one, so the cost
 * of a page depends on newer lines only and not on the whole account.
 * @param before the `id` of the last line of the previous page
 */
export async function listStatement(
  tx: Tx,
  accountId: string,
  { limit, before = null }: { limit: number; before?: string | null },
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    SELECT p.id, p.journal_id, j.kind, j.source_type, j.source_id, j.reverses, j.actor_name,
      app.iso(j.created_at) AS created_at, (p.amount * a.side)::text AS change,
      (b.posted - above.sum * a.side - coalesce(sum(p.amount * a.side) OVER (
        ORDER BY p.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))::text AS balance
    FROM ledger_account a
    JOIN ledger_balance b ON b.account_id = a.id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(n.amount), 0) AS sum FROM posting n
      WHERE n.account_id = a.id AND n.id >= ${before}::bigint AND ${providerInScope(tx, 'n.provider_id')}) above
    CROSS JOIN LATERAL (
      SELECT n.id, n.journal_id, n.amount FROM posting n
      WHERE n.account_id = a.id AND n.id < coalesce(${before}::bigint, 9223372036854775807)
        AND ${providerInScope(tx, 'n.provider_id')}
      ORDER BY n.id DESC LIMIT ${limit}) p
    JOIN journal j ON j.id = p.journal_id
    WHERE a.id = ${accountId} AND ${providerInScope(tx, 'a.provider_id')}
    ORDER BY p.id DESC`.execute(tx.sql);
  return rows;
}

export interface JournalOfSource {
  id: string;
  kind: JournalKind;
  created_at: string;
  reverses: string | null;
  actor_name: string;
  postings: { account: string; owner_id: string; asset: string; amount: string }[];
}

/** The journals of a fact, oldest first, with the postings within the caller's scope. */
export async function listJournals(tx: Tx, source: LedgerSource): Promise<JournalOfSource[]> {
  const { rows } = await sql<JournalOfSource>`
    SELECT j.id, j.kind, app.iso(j.created_at) AS created_at, j.reverses, j.actor_name,
      json_agg(json_build_object('account', a.kind, 'owner_id', a.owner_id, 'asset', p.asset,
        'amount', p.amount::text) ORDER BY p.id) AS postings
    FROM journal j
    JOIN posting p ON p.journal_id = j.id AND ${providerInScope(tx, 'p.provider_id')}
    JOIN ledger_account a ON a.id = p.account_id
    WHERE j.source_type = ${source.type} AND j.source_id = ${source.id}
    GROUP BY j.id ORDER BY j.created_at, j.id`.execute(tx.sql);
  return rows;
}

/** A journal by its kind and source, with its postings as texts of account and amount. */
export async function findJournal(tx: Tx, kind: JournalKind, source: LedgerSource) {
  const { rows } = await sql<{
    id: string;
    provider_id: string | null;
    reverses: string | null;
    postings: string[];
  }>`
    SELECT j.id, j.provider_id, j.reverses,
      array_agg(concat_ws(' ', a.kind, a.owner_id, a.asset, p.amount)) AS postings
    FROM journal j
    JOIN posting p ON p.journal_id = j.id AND ${providerInScope(tx, 'p.provider_id')}
    JOIN ledger_account a ON a.id = p.account_id
    WHERE j.source_type = ${source.type} AND j.source_id = ${source.id} AND j.kind = ${kind}
    GROUP BY j.id`.execute(tx.sql);
  return rows[0] ?? null;
}
