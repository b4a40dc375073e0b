import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { Scope } from '@copydesk/domain/access';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { byName } from '../../../platform/db/lists/list-query.ts';

export type SavedView = CallAnswer<'POST /api/saved-views'>['data'];
type Screen = SavedView['screen'];
type NewView = CallParsed<'POST /api/saved-views'>['body'];

/** Limit for one person and screen: a longer list is not chosen from, but searched. */
const MOST_VIEWS = 100;

const columnsFor = (userId: string) => sql`
  v.id, v.screen, v.name, v.query, v.layout, v.shared_by IS NOT NULL AS is_shared, v.user_id = ${userId} AS is_own,
  v.shared_by, app.iso(v.created_at) AS created_at,
  EXISTS (
    SELECT FROM default_view d WHERE d.user_id = ${userId} AND d.screen = v.screen AND d.view_id = v.id
  ) AS is_default`;

/**
 * A person's own views, whatever the scope, and those that are shared with it. Row-level security decides which these
 * are: the transaction has to be the person's own.
 */
export async function listViews(tx: Tx, userId: string, screen: Screen): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    SELECT ${columnsFor(userId)} FROM saved_view v
    WHERE v.screen = ${screen} AND (v.user_id = ${userId} OR v.shared_by IS NOT NULL)
    ORDER BY v.user_id = ${userId} DESC, ${byName('v.name')}, v.id`.execute(tx.sql);
  return rows;
}

/**
 * Null: the person has too many views of this screen.
 * @param author its name for others, where the view is shared
 * @param scope what its author sees, and so has to be seen by whom it is shared with
 */
export async function saveView(
  tx: WriteTx,
  userId: string,
  view: NewView,
  { author, scope }: { author: string; scope: Scope },
): Promise<SavedView | null> {
  const { screen, name, query, layout, is_shared } = view;
  const sharedBy = is_shared ? author : null;
  const providerIds = is_shared && scope.kind === 'providers' ? scope.providerIds : null;
  const { rows } = await sql<SavedView>`
    WITH saved AS (
      INSERT INTO saved_view (user_id, screen, name, query, layout, shared_by, shared_provider_ids)
      SELECT ${userId}, ${screen}, ${name}, ${query}, ${layout && JSON.stringify(layout)}::jsonb, ${sharedBy},
        ${providerIds}::uuid[]
      WHERE (
        SELECT count(*) FROM saved_view WHERE user_id = ${userId} AND screen = ${screen} AND name <> ${name}
      ) < ${MOST_VIEWS}
      ON CONFLICT (user_id, screen, name) DO UPDATE SET query = excluded.query, layout = excluded.layout,
        shared_by = excluded.shared_by, shared_provider_ids = excluded.shared_provider_ids
      RETURNING *
    )
    SELECT ${columnsFor(userId)} FROM saved v`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Whether a view was deleted. */
export async function deleteView(tx: WriteTx, userId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM saved_view WHERE id = ${id} AND user_id = ${userId}`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Whether the person sees a view of that screen by this id; it is the default from now on. */
export async function chooseDefault(
  tx: WriteTx,
  userId: string,
  { screen, view_id }: { screen: Screen; view_id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO default_view (user_id, screen, view_id)
    SELECT ${userId}, v.screen, v.id FROM saved_view v WHERE v.id = ${view_id} AND v.screen = ${screen}
    ON CONFLICT (user_id, screen) DO UPDATE SET view_id = excluded.view_id`.execute(tx.sql);
  return numAffectedRows === 1n;
}

export async function dropDefault(tx: WriteTx, userId: string, screen: Screen): Promise<void> {
  await sql`DELETE FROM default_view WHERE user_id = ${userId} AND screen = ${screen}`.execute(tx.sql);
}
