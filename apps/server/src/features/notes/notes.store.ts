import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';
import type { Subject } from './notes.views.ts';

/** A note that was not removed, locked. */
export interface LockedNote extends Subject {
  id: string;
  provider_id: string | null;
  author_id: string;
  version: number;
}

export async function insertNote(
  tx: WriteTx,
  { subject_kind, subject_id, provider_id, text }: Subject & { provider_id: string | null; text: string },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO note (subject_kind, subject_id, provider_id, text, author_id, author)
    VALUES (${subject_kind}, ${subject_id}, ${provider_id}, ${text}, ${tx.actor.id}, ${tx.actor.name})
    RETURNING id`.execute(tx.sql);
  return rows[0]?.id ?? '';
}

/** Sets the mentioned people. People mentioned before keep whether they have seen the note. */
export async function saveMentions(tx: WriteTx, id: string, people: readonly string[]): Promise<void> {
  await sql`DELETE FROM note_mention m WHERE m.note_id = ${id} AND m.person_id <> ALL (${[...people]}::text[])`.execute(
    tx.sql,
  );
  await sql`
    INSERT INTO note_mention (note_id, person_id)
    SELECT DISTINCT ${id}::uuid, person FROM unnest(${[...people]}::text[]) AS person
    ON CONFLICT DO NOTHING`.execute(tx.sql);
}

export async function lockNote(tx: WriteTx, id: string): Promise<LockedNote | null> {
  const { rows } = await sql<LockedNote>`
    SELECT n.id, n.subject_kind, n.subject_id, n.provider_id, n.author_id, n.version FROM note n
    WHERE n.id = ${id} AND n.removed_at IS NULL AND ${providerInScope(tx, 'n.provider_id')}
    FOR NO KEY UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function saveText(tx: WriteTx, id: string, text: string): Promise<void> {
  await sql`UPDATE note n SET text = ${text}, edited_at = now(), version = n.version + 1
    WHERE n.id = ${id} AND ${providerInScope(tx, 'n.provider_id')}`.execute(tx.sql);
}

export async function removeText(tx: WriteTx, id: string): Promise<void> {
  await sql`UPDATE note n SET text = NULL, removed_at = now(), removed_by = ${tx.actor.name}, version = n.version + 1
    WHERE n.id = ${id} AND ${providerInScope(tx, 'n.provider_id')}`.execute(tx.sql);
}

/** The caller has seen what mentions it. */
export async function endMentions(tx: WriteTx, { subject_kind, subject_id }: Subject): Promise<void> {
  await sql`
    UPDATE note_mention m SET done_at = now() FROM note n
    WHERE n.id = m.note_id AND n.subject_kind = ${subject_kind} AND n.subject_id = ${subject_id}
      AND ${providerInScope(tx, 'n.provider_id')} AND m.person_id = ${tx.actor.id} AND m.done_at IS NULL`.execute(
    tx.sql,
  );
}
