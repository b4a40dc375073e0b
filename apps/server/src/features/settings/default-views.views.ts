import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

type DefaultViews = CallAnswer<'GET /api/me'>['data']['default_views'];

/** The views with which lists open for a person. The transaction has to be the person's own. */
export async function readDefaultViews(tx: Tx, userId: string): Promise<DefaultViews> {
  const { rows } = await sql<{ views: DefaultViews }>`
    SELECT COALESCE(
      jsonb_object_agg(v.screen, jsonb_build_object('id', v.id, 'query', v.query, 'layout', v.layout)), '{}'
    ) AS views
    FROM default_view d JOIN saved_view v ON v.id = d.view_id WHERE d.user_id = ${userId}`.execute(tx.sql);
  return rows[0]?.views ?? {};
}
