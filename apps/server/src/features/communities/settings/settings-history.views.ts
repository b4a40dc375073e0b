import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

type History = CallAnswer<'GET /api/super-admin/communities/{id}/split-history'>;

/** Changes of a community's settings, newest first. Row-level security shows them to super admins only. */
export async function listSettingChanges(
  tx: Tx,
  id: string,
  page: { limit: number; offset: number },
): Promise<Pick<History, 'data' | 'meta'>> {
  const ofCommunity = sql`e.target_kind = 'community' AND e.target_id = ${id}
    AND e.action = 'community.settings_changed'`;
  const { rows } = await sql<{ data: History['data']; total: number }>`
    SELECT (SELECT count(*)::int FROM audit_entry e WHERE ${ofCommunity}) AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT app.iso(e.at) AS at, e.actor_name, e.actor_kind, e.before, e.after
        FROM audit_entry e WHERE ${ofCommunity}
        ORDER BY e.seq DESC LIMIT ${page.limit} OFFSET ${page.offset}) r) AS data`.execute(tx.sql);
  return { data: rows[0]?.data ?? [], meta: { total: rows[0]?.total ?? 0 } };
}
