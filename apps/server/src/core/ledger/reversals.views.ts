import type { JournalDraft, JournalKind, LedgerAccount } from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

interface PostedRow {
  id: string;
  kind: JournalKind;
  source_type: string;
  source_id: string;
  provider_id: string | null;
  reverses: string | null;
  postings: { account: LedgerAccount; amount: string }[];
}

/** Posted journals as their original drafts, by id, without those missing or out of scope. */
export async function listDrafts(tx: Tx, journalIds: readonly string[]): Promise<Map<string, JournalDraft>> {
  const { rows } = await sql<PostedRow>`
    SELECT j.id, j.kind, j.source_type, j.source_id, j.provider_id, j.reverses, p.postings
    FROM (SELECT DISTINCT unnest(${[...journalIds]}::uuid[]) AS id) wanted
    -- One by one: else every posting is read, to be compared with the wanted ones.
    CROSS JOIN LATERAL (SELECT * FROM journal one WHERE one.id = wanted.id OFFSET 0) j
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('amount', p.amount::text, 'account', json_build_object('kind', a.kind,
        'ownerId', a.owner_id, 'asset', a.asset, 'providerId', a.provider_id)) ORDER BY p.id) AS postings
      FROM posting p JOIN ledger_account a ON a.id = p.account_id
      WHERE p.journal_id = j.id AND ${providerInScope(tx, 'p.provider_id')} OFFSET 0) p
    WHERE p.postings IS NOT NULL`.execute(tx.sql);
  return new Map(rows.map((row) => [row.id, draftOf(row)]));
}

function draftOf(row: PostedRow): JournalDraft {
  return {
    kind: row.kind,
    source: { type: row.source_type, id: row.source_id },
    providerId: row.provider_id,
    reverses: row.reverses,
    postings: row.postings.map(({ account, amount }) => ({ account, amountUnits: BigInt(amount) })),
  };
}

/** One of these journals that a later, unreversed journal of the same invoice follows; or null. */
export async function findFollowed(tx: Tx, journalIds: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT mine.journal_id AS id FROM posting mine
    JOIN ledger_account a ON a.id = mine.account_id AND a.kind IN ('receivable', 'billed')
    JOIN posting later ON later.account_id = mine.account_id AND later.id > mine.id
      AND ${providerInScope(tx, 'later.provider_id')}
    JOIN journal j ON j.id = later.journal_id AND j.reverses IS NULL
    WHERE mine.journal_id = ANY (${[...journalIds]}::uuid[])
      AND NOT EXISTS (SELECT FROM journal r WHERE r.reverses = j.id)
    LIMIT 1`.execute(tx.sql);
  return rows[0]?.id ?? null;
}

/** The journals by which these invoices were cancelled. */
export async function listCancellations(tx: Tx, invoiceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT j.id FROM journal j WHERE j.kind = 'invoice_cancelled' AND j.source_type = 'invoice'
      AND j.source_id = ANY (${[...invoiceIds]}::text[])`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** The journals by which payments went to an invoice, and that were not reversed; the newest first. */
export async function listPaymentJournals(tx: Tx, invoiceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT j.id FROM journal j JOIN posting p ON p.journal_id = j.id
    JOIN ledger_account a ON a.id = p.account_id AND a.kind = 'receivable' AND a.owner_id = ${invoiceId}
    WHERE j.kind = 'invoice_paid' AND ${providerInScope(tx, 'p.provider_id')}
      AND NOT EXISTS (SELECT FROM journal r WHERE r.reverses = j.id)
    ORDER BY p.id DESC`.execute(tx.sql);
  return rows.map(({ id }) => id);
}
