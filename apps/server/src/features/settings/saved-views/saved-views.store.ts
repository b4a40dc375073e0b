import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { byName } from '../../../platform/db/lists/list-query.ts';

export type SavedView = CallAnswer<'POST /api/saved-views'>['data'];
type Screen = SavedView['screen'];

const COLUMNS = sql`id, screen, name, query, app.iso(created_at) AS created_at`;

/** A person's saved views are private and independent of scope. */
export async function listViews(tx: Tx, userId: string, screen: Screen): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    SELECT ${COLUMNS} FROM saved_view WHERE user_id = ${userId} AND screen = ${screen}
    ORDER BY ${byName('name')}, id`.execute(tx.sql);
  return rows;
}

export async function saveView(
  tx: WriteTx,
  userId: string,
  { screen, name, query }: Pick<SavedView, 'screen' | 'name' | 'query'>,
): Promise<SavedView> {
  const { rows } = await sql<SavedView>`
    INSERT INTO saved_view (user_id, screen, name, query) VALUES (${userId}, ${screen}, ${name}, ${query})
    ON CONFLICT (user_id, screen, name) DO UPDATE SET query = excluded.query
    RETURNING ${COLUMNS}`.execute(tx.sql);
  return rows[0] as SavedView;
}

/** Whether a view was deleted. */
export async function deleteView(tx: WriteTx, userId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM saved_view WHERE id = ${id} AND user_id = ${userId}`.execute(tx.sql);
  return numAffectedRows === 1n;
}
