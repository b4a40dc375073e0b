import type { JournalDraft, JournalKind, LedgerAccount } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

interface PostedRow {
  kind: JournalKind;
  source_type: string;
  source_id: string;
  provider_id: string | null;
  reverses: string | null;
  postings: { account: LedgerAccount; amount: string }[];
}

/** A posted journal as what it was posted from; null when it is missing or out of scope. */
export async function findDraft(tx: Tx, journalId: string): Promise<JournalDraft | null> {
  const { rows } = await sql<PostedRow>`
    SELECT j.kind, j.source_type, j.source_id, j.provider_id, j.reverses,
      json_agg(json_build_object('amount', p.amount::text, 'account', json_build_object('kind', a.kind,
        'ownerId', a.owner_id, 'asset', a.asset, 'providerId', a.provider_id)) ORDER BY p.id) AS postings
    FROM journal j
    JOIN posting p ON p.journal_id = j.id AND ${providerInScope(tx, 'p.provider_id')}
    JOIN ledger_account a ON a.id = p.account_id
    WHERE j.id = ${journalId}
    GROUP BY j.id`.execute(tx.sql);
  const row = rows[0];
  return row
    ? {
        kind: row.kind,
        source: { type: row.source_type, id: row.source_id },
        providerId: row.provider_id,
        reverses: row.reverses,
        postings: row.postings.map(({ account, amount }) => ({ account, amountUnits: BigInt(amount) })),
      }
    : null;
}

/** Whether something that still stands was posted to the journal's invoices after it. */
export async function isFollowed(tx: Tx, journalId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM posting mine
    JOIN ledger_account a ON a.id = mine.account_id AND a.kind IN ('receivable', 'billed')
    JOIN posting later ON later.account_id = mine.account_id AND later.id > mine.id
      AND ${providerInScope(tx, 'later.provider_id')}
    JOIN journal j ON j.id = later.journal_id AND j.reverses IS NULL
    WHERE mine.journal_id = ${journalId} AND NOT EXISTS (SELECT FROM journal r WHERE r.reverses = j.id)
    LIMIT 1`.execute(tx.sql);
  return rows.length > 0;
}
