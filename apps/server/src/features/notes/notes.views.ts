import type { Note } from '@copydesk/contract/notes';
import { noteCalls } from '@copydesk/contract/notes';
import type { NoteSubject } from '@copydesk/domain/notes';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { communityInScope, providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { listWhoMay, type NamedPerson } from '../../platform/identity/present-scope.ts';

export interface Subject {
  subject_kind: NoteSubject;
  subject_id: string;
}

/** How to find the subject of each kind: `s.id` is its id, in the scope of the reader. */
const SUBJECTS: Record<
  NoteSubject,
  (tx: AnyTx) => { inScope: RawBuilder<unknown>; providers: RawBuilder<unknown> }
> = {
  trader: (tx) => ({
    inScope: sql`trader s WHERE ${traderInScope(tx, 's.id')}`,
    providers: sql`SELECT v.provider_id FROM trader_provider v WHERE v.trader_id = s.id`,
  }),
  invoice: (tx) => ({
    inScope: sql`invoice s WHERE ${providerInScope(tx, 's.provider_id')} AND ${traderInScope(tx, 's.trader_id')}`,
    providers: sql`SELECT s.provider_id`,
  }),
  payout: (tx) => ({
    inScope: sql`payout s WHERE ${
      tx.scope.kind === 'all'
        ? sql`true`
        : sql`EXISTS (SELECT FROM payout_provider v
        WHERE v.payout_id = s.id AND ${providerInScope(tx, 'v.provider_id')})`
    }`,
    providers: sql`SELECT v.provider_id FROM payout_provider v WHERE v.payout_id = s.id`,
  }),
  pool: (tx) => ({
    inScope: sql`pooled_account s WHERE ${communityInScope(tx, 's.community_id')}`,
    providers: sql`SELECT l.provider_id FROM community_provider l WHERE l.community_id = s.community_id`,
  }),
};

/**
 * The providers of a subject in scope whose staff can be among the readers of a note about it, by name.
 * @returns null: there is no such subject in scope
 */
export async function listReaders(
  tx: AnyTx,
  { subject_kind, subject_id }: Subject,
): Promise<{ provider_id: string; name: string }[] | null> {
  const { inScope, providers } = SUBJECTS[subject_kind](tx);
  const { rows } = await sql<{ readers: { provider_id: string; name: string }[] }>`
    SELECT (SELECT coalesce(json_agg(json_build_object('provider_id', p.id, 'name', p.display_name)
        ORDER BY p.display_name, p.id), '[]')
      FROM provider p WHERE p.id IN (${providers}) AND ${providerInScope(tx, 'p.id')}) AS readers
    FROM ${inScope} AND s.id = ${subject_id}`.execute(tx.sql);
  return rows[0]?.readers ?? null;
}

const personName = sql`coalesce(nullif(p.name, ''), p.email)`;

const columns = (readerId: string) => sql`n.id, n.subject_kind, n.subject_id, n.provider_id,
  (SELECT v.display_name FROM provider v WHERE v.id = n.provider_id) AS provider, n.text, n.author,
  n.author_id = ${readerId} AS is_own,
  (SELECT coalesce(json_agg(json_build_object('id', m.person_id, 'name', ${personName},
      'is_you', m.person_id = ${readerId}, 'is_done', m.done_at IS NOT NULL) ORDER BY ${personName}, m.person_id), '[]')
    FROM note_mention m JOIN identity.person p ON p.id::text = m.person_id
    WHERE m.note_id = n.id AND n.removed_at IS NULL) AS mentions,
  app.iso(n.created_at) AS created_at, app.iso(n.edited_at) AS edited_at, app.iso(n.removed_at) AS removed_at,
  n.removed_by, n.version`;

/** The notes about a subject that the reader sees, latest first. */
export async function listNotes(
  tx: AnyTx,
  { subject_kind, subject_id }: Subject,
  { readerId, limit, offset }: { readerId: string; limit: number; offset: number },
): Promise<{ data: Note[]; total: number }> {
  const about = sql`note n WHERE n.subject_kind = ${subject_kind} AND n.subject_id = ${subject_id}
    AND ${providerInScope(tx, 'n.provider_id')}`;
  const { rows } = await sql<{ data: Note[]; total: number }>`
    SELECT (SELECT count(*)::int FROM ${about}) AS total, (SELECT coalesce(json_agg(r), '[]') FROM (
      SELECT ${columns(readerId)} FROM ${about} ORDER BY n.created_at DESC, n.id LIMIT ${limit} OFFSET ${offset}) r)
      AS data`.execute(tx.sql);
  return rows[0] ?? { data: [], total: 0 };
}

export async function findNote(tx: Tx, id: string, readerId: string): Promise<Note | null> {
  const { rows } = await sql<Note>`
    SELECT ${columns(readerId)} FROM note n WHERE n.id = ${id} AND ${providerInScope(tx, 'n.provider_id')}`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

/** Who may read notes of a provider's staff, or of super admins alone, by name. */
export const listPeople = (tx: Tx, providerId: string | null): Promise<NamedPerson[]> =>
  listWhoMay(tx, [noteCalls['GET /api/notes']], providerId);
