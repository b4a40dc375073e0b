import type { Export, SelectedRows } from '@copydesk/contract/exports';
import type { Scope } from '@copydesk/domain/access';
import type { ExportList } from '@copydesk/domain/exports';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

export type Texts = Record<string, string>;

/** An export as its person sees it, and the scope of its file. */
export type OwnExport = Omit<Export, 'is_covered'> & {
  parts: number | null;
  sees_all: boolean | null;
  provider_ids: string[] | null;
};

/** More than a person has in 30 days. */
const LISTED = 200;

const COLUMNS = sql`id, list, params, query, selected IS NOT NULL AS is_selection, state,
  rows, rows_expected, bytes::float8 AS bytes, sha256,
  app.iso(created_at) AS created_at, app.iso(finished_at) AS finished_at, app.iso(expires_at) AS expires_at, reason,
  parts, sees_all, provider_ids::text[] AS provider_ids`;

/** A person's exports are private and independent of scope. */
export async function listExports(tx: Tx, userId: string): Promise<OwnExport[]> {
  const { rows } = await sql<OwnExport>`
    SELECT ${COLUMNS} FROM export WHERE user_id = ${userId} ORDER BY export.created_at DESC, id DESC
    LIMIT ${LISTED}`.execute(tx.sql);
  return rows;
}

export async function findExport(tx: Tx, userId: string, id: string): Promise<OwnExport | null> {
  const { rows } = await sql<OwnExport>`
    SELECT ${COLUMNS} FROM export WHERE id = ${id} AND user_id = ${userId}`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * The exports of the caller that count toward the limit. Locks out the person's other transactions until this
 * one ends.
 */
export async function lockExports(tx: WriteTx, at: Date): Promise<{ unfinished: number; kept: number }> {
  const { id } = tx.actor;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`copydesk.exports ${id}`}, 0))`.execute(tx.sql);
  const { rows } = await sql<{ unfinished: number; kept: number }>`
    SELECT (count(*) FILTER (WHERE state IN ('waiting', 'running')))::int AS unfinished,
      (count(*) FILTER (WHERE state IN ('waiting', 'running') OR expires_at > ${at}))::int AS kept
    FROM export WHERE user_id = ${id}`.execute(tx.sql);
  return rows[0] ?? { unfinished: 0, kept: 0 };
}

export async function insertExport(
  tx: WriteTx,
  asked: {
    list: ExportList;
    params: Texts;
    query: Texts;
    selected: SelectedRows | null;
    organizationId: string | null;
    expected: number | null;
    at: Date;
  },
): Promise<OwnExport> {
  const { list, params, query, selected, organizationId, expected, at } = asked;
  const { rows } = await sql<OwnExport>`
    INSERT INTO export (user_id, list, params, query, selected, organization_id, rows_expected, created_at)
    VALUES (${tx.actor.id}, ${list}, ${JSON.stringify(params)}::jsonb, ${JSON.stringify(query)}::jsonb,
      ${selected && JSON.stringify(selected)}::jsonb, ${organizationId}, ${expected}, ${at})
    RETURNING ${COLUMNS}`.execute(tx.sql);
  return rows[0] as OwnExport;
}

/** Its parts go with it, and a worker that writes it stops. @returns what it was of; null: there is none */
export async function deleteExport(
  tx: WriteTx,
  id: string,
): Promise<Pick<OwnExport, 'list' | 'state'> | null> {
  const { rows } = await sql<Pick<OwnExport, 'list' | 'state'>>`
    DELETE FROM export WHERE id = ${id} AND user_id = ${tx.actor.id} RETURNING list, state`.execute(tx.sql);
  return rows[0] ?? null;
}

/** One part of a file; null: it has gone. */
export async function readPart(tx: Tx, id: string, number: number): Promise<Buffer | null> {
  const { rows } = await sql<{ bytes: Buffer }>`
    SELECT bytes FROM export_part WHERE export_id = ${id} AND number = ${number}`.execute(tx.sql);
  return rows[0]?.bytes ?? null;
}

/** The scope that a file was made with; null: there is no file. */
export function scopeOfFile({ sees_all, provider_ids }: OwnExport): Scope | null {
  if (sees_all === null || provider_ids === null) return null;
  return sees_all ? { kind: 'all' } : { kind: 'providers', providerIds: provider_ids };
}
