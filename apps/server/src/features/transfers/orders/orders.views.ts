import type { Order } from '@copydesk/contract/transfers';
import { sql } from 'kysely';
import { communityJson } from '../../../core/traders/trader-columns.ts';
import { chainOf } from '../../../core/transfers/addresses/held.views.ts';
import { type ApproverRules, readApprovers } from '../../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { communityInScope } from '../../../platform/db/scope-filter.ts';

const usdt = (column: string) => sql`trim_scale(${sql.ref(column)} * 0.000000000000000001)::text`;

/** An act may have ten thousand lines; what it comes to is in its amount. */
const LINES = 200;

type Row = Order & { requested_by_id: string };

/** Orders, the newest first, with why the caller cannot approve each. */
export async function listOrders(
  tx: Tx,
  deps: ApproverRules,
  {
    callerId,
    isAll,
    poolId,
    orderId,
    limit,
    offset,
  }: {
    callerId: string;
    isAll: boolean;
    poolId?: string | undefined;
    orderId?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ data: Order[]; total: number }> {
  const chosen = sql`(${isAll} OR o.state = 'awaiting_approval')
    AND (${poolId ?? null}::uuid IS NULL OR o.pooled_account_id = ${poolId ?? null})
    AND (${orderId ?? null}::uuid IS NULL OR o.id = ${orderId ?? null})
    AND (o.community_id IS NULL OR ${communityInScope(tx, 'o.community_id')})`;
  const { rows } = await sql<{ order: Row }>`
    SELECT json_build_object('id', o.id, 'act', o.act, 'state', o.state, 'needs', o.needs,
      'community', CASE WHEN c.id IS NOT NULL THEN ${communityJson} END,
      'pool_id', o.pooled_account_id, 'amount', ${usdt('o.amount_units')},
      'line_count', (SELECT count(*) FROM money_order_line l WHERE l.order_id = o.id),
      'lines', (SELECT json_agg(json_build_object('subject_id', l.subject_id, 'label', l.label,
        'to_address', l.to_address, 'chain', ${chainOf('l.to_address')}, 'amount', ${usdt('l.amount_units')}) ORDER BY l.place)
        FROM money_order_line l WHERE l.order_id = o.id AND l.place <= ${sql.lit(LINES)}),
      'facts', o.facts, 'requested_by', o.requested_by, 'requested_at', app.iso(o.requested_at),
      'requested_by_id', o.requested_by_id, 'decided_by', o.decided_by, 'decided_at', app.iso(o.decided_at)) AS order
    FROM money_order o LEFT JOIN community c ON c.id = o.community_id
    WHERE ${chosen} ORDER BY o.requested_at DESC, o.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM money_order o WHERE ${chosen}`.execute(tx.sql);
  const waiting = rows.flatMap(({ order }) =>
    order.state === 'awaiting_approval' ? order.requested_by_id : [],
  );
  const refusalOf = await readApprovers(tx, deps, callerId, [...new Set(waiting)]);
  return {
    data: rows.map(({ order: { requested_by_id, ...order } }) => ({
      ...order,
      is_own: requested_by_id === callerId,
      refusal: order.state === 'awaiting_approval' ? (refusalOf(requested_by_id)?.message ?? null) : null,
    })),
    total: counted[0]?.total ?? 0,
  };
}
