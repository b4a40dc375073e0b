import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';

import { joinHolds, type PendingOptions, pendingShares } from '../pending-shares.views.ts';

type Due = CallAnswer<'GET /api/super-admin/pending-distributions'>['data'][number];

const sums = (
  of: RawBuilder<unknown>,
) => sql`'amount', ${usdt(sql`coalesce(sum(s.units) FILTER (WHERE ${of}), 0)`)},
  'count', coalesce(sum(s.n) FILTER (WHERE ${of}), 0)`;

/** What each community has pending, by the conditions under which it is paid, largest first. For super admins. */
export async function listDue(
  tx: Tx,
  { chainId, holdHours }: Pick<PendingOptions, 'chainId' | 'holdHours'>,
): Promise<Due[]> {
  const { rows } = await sql<{ due: Due }>`
    WITH ${pendingShares(tx, { communityIds: null, chainId, holdHours })},
    s AS MATERIALIZED (
      SELECT y.community_id, y.units, y.n, y.oldest_at, y.address IS NULL AS is_unaddressed,
        CASE WHEN y.address IS NULL THEN NULL WHEN y.reason IS NOT NULL THEN y.reason WHEN a.id IS NULL THEN NULL
          WHEN a.is_of_referrer THEN 'referrer_set' ELSE 'address_changed' END AS hold
      FROM share y ${joinHolds}),
    due AS MATERIALIZED (
      SELECT s.community_id, sum(s.units) AS units, jsonb_build_object(${sums(sql`true`)},
        'payable', jsonb_build_object(${sums(sql`s.hold IS NULL AND NOT s.is_unaddressed`)}),
        'held', jsonb_build_object(${sums(sql`s.hold IS NOT NULL`)},
          'reasons', coalesce(jsonb_agg(DISTINCT s.hold) FILTER (WHERE s.hold IS NOT NULL), '[]')),
        'unaddressed', jsonb_build_object(${sums(sql`s.is_unaddressed`)}),
        'oldest_at', app.iso(min(s.oldest_at))) AS parts
      FROM s GROUP BY s.community_id)
    SELECT due.parts || jsonb_build_object(
      'community', jsonb_build_object('id', c.id, 'name', c.name, 'is_archived', c.is_archived),
      'awaiting', (SELECT CASE WHEN count(*) > 0 THEN
          jsonb_build_object('amount', ${usdt(sql`sum(d.amount_units)`)}, 'count', count(*)) END
        FROM distribution d WHERE d.community_id = c.id AND d.state = 'awaiting_approval'),
      'last_distribution', (SELECT jsonb_build_object('id', d.id, 'amount', ${usdt(sql`d.amount_units`)},
          'created_at', app.iso(d.created_at))
        FROM distribution d WHERE d.community_id = c.id AND d.state <> 'declined'
        ORDER BY d.created_at DESC, d.id LIMIT 1)) AS due
    FROM due JOIN community c ON c.id = due.community_id
    ORDER BY due.units DESC, c.name, c.id`.execute(tx.sql);
  return rows.map((row) => row.due);
}
