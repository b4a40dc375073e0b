import {
  accountKey,
  type JournalDraft,
  type JournalKind,
  type LedgerAccount,
  LedgerError,
} from '@copydesk/domain/ledger';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

/**
 * Ids by account key; missing accounts are opened. Sorted by name, because opening the same accounts in different
 * orders could deadlock.
 */
export async function openAccounts(
  tx: WriteTx,
  accounts: readonly LedgerAccount[],
): Promise<Map<string, string>> {
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, account]) => account);
  const known = await findAccountIds(tx, wanted);
  const missing = wanted.filter((account) => !known.has(accountKey(account)));
  if (missing.length === 0) return known;
  const { rows } = await sql<{ id: string; key: string }>`
    INSERT INTO ledger_account (kind, owner_id, asset, provider_id)
    SELECT * FROM ${named(missing)} ORDER BY 1, 2, 3
    ON CONFLICT (kind, owner_id, asset) DO NOTHING
    RETURNING id, concat_ws(' ', kind, owner_id, asset) AS key`.execute(tx.sql);
  const opened = new Map(rows.map(({ key, id }) => [key, id]));
  // Another transaction has opened the rest meanwhile.
  const others = missing.filter((account) => !opened.has(accountKey(account)));
  const found = others.length > 0 ? await findAccountIds(tx, others) : [];
  return new Map([...known, ...opened, ...found]);
}

/** One statement of constant text for any number of accounts, so it is prepared once. */
function named(accounts: readonly LedgerAccount[]) {
  return sql`unnest(${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ ownerId }) => ownerId)}::uuid[],
    ${accounts.map(({ asset }) => asset)}::text[], ${accounts.map(({ providerId }) => providerId)}::uuid[])
    AS wanted (kind, owner_id, asset, provider_id)`;
}

async function findAccountIds(tx: WriteTx, accounts: readonly LedgerAccount[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; key: string; is_same_provider: boolean }>`
    SELECT a.id, concat_ws(' ', a.kind, a.owner_id, a.asset) AS key,
      a.provider_id IS NOT DISTINCT FROM wanted.provider_id AS is_same_provider
    FROM ${named(accounts)}
    JOIN ledger_account a ON (a.kind, a.owner_id, a.asset) = (wanted.kind, wanted.owner_id, wanted.asset)`.execute(
    tx.sql,
  );
  for (const row of rows)
    if (!row.is_same_provider) throw new Error(`ledger account ${row.key} belongs to another provider`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/**
 * Ids of the new journals by their names, without those whose source already made one. Waits for concurrent inserts of
 * the same journals. Keeps the order of the drafts, because inserting the same journals in different orders could
 * deadlock.
 */
export async function insertJournals(
  tx: WriteTx,
  drafts: readonly JournalDraft[],
): Promise<Map<string, string>> {
  const { kind, id, name } = tx.actor;
  const { rows } = await sql<{ id: string; kind: JournalKind; source_type: string; source_id: string }>`
    INSERT INTO journal (kind, source_type, source_id, provider_id, reverses, actor_kind, actor_id, actor_name)
    SELECT n.kind, n.source_type, n.source_id, n.provider_id, n.reverses, ${kind}::text, ${id}::text, ${name}::text
    FROM unnest(${drafts.map((draft) => draft.kind)}::text[], ${drafts.map(({ source }) => source.type)}::text[],
      ${drafts.map(({ source }) => source.id)}::text[], ${drafts.map(({ providerId }) => providerId)}::uuid[],
      ${drafts.map(({ reverses }) => reverses)}::uuid[]) WITH ORDINALITY
      AS n (kind, source_type, source_id, provider_id, reverses, position)
    ORDER BY n.position
    ON CONFLICT (source_type, source_id, kind) DO NOTHING
    RETURNING id, kind, source_type, source_id`.execute(tx.sql);
  return new Map(
    rows.map((row) => [
      journalName({ kind: row.kind, source: { type: row.source_type, id: row.source_id } }),
      row.id,
    ]),
  );
}

/** The same text for the same journal; it sorts journals of one fact next to each other. */
export function journalName({ kind, source }: Pick<JournalDraft, 'kind' | 'source'>): string {
  return `${source.type} ${source.id} ${kind}`;
}

export interface PostingRow {
  journalId: string;
  accountId: string;
  amountUnits: bigint;
}

/**
 * Inserts all postings of one transaction in one statement: its trigger locks every balance in the order of the ids.
 * @throws LedgerError `overdrawn`
 */
export async function insertPostings(tx: WriteTx, postings: readonly PostingRow[]): Promise<void> {
  await refusingOverdraft(
    sql`
    INSERT INTO posting (journal_id, account_id, asset, provider_id, amount)
    SELECT j.id, a.id, a.asset, coalesce(a.provider_id, j.provider_id), n.amount
    FROM unnest(${postings.map(({ journalId }) => journalId)}::uuid[],
      ${postings.map(({ accountId }) => accountId)}::uuid[],
      ${postings.map(({ amountUnits }) => amountUnits.toString())}::numeric[]) WITH ORDINALITY
      AS n (journal_id, account_id, amount, position)
    JOIN journal j ON j.id = n.journal_id
    JOIN ledger_account a ON a.id = n.account_id
    ORDER BY n.position`.execute(tx.sql),
  );
}

/** Locks balances in the order of their ids, before statements that would each lock some of them. */
export async function lockBalances(tx: WriteTx, accountIds: Iterable<string>): Promise<void> {
  await sql`SELECT app.lock_balances(${[...accountIds]}::uuid[])`.execute(tx.sql);
}

/** Converts a failed balance check into the ledger's error. */
export async function refusingOverdraft<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const { constraint, detail } = error as { constraint?: string; detail?: string };
    if (constraint === 'ledger_balance_covered')
      throw new LedgerError('overdrawn', detail ?? 'a balance would go below zero');
    throw error;
  }
}
