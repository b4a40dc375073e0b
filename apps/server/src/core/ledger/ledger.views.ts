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
