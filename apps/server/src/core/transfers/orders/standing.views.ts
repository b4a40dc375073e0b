import { APPROVAL_WINDOW_HOURS } from '@copydesk/domain/access';
import { decimalToUnits } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';

/**
 * Condition over a column with an orderer's id: it is a person who may not order any more. Orders that no
 * other person approved become invalid then; programs do not count as persons.
 */
export const isOrdererGone = (column: string) => sql`EXISTS (SELECT FROM identity.person p
  WHERE p.id::text = ${sql.ref(column)} AND NOT (p.super AND p.is_active AND p.disabled_at IS NULL))`;

/** Condition over `money_order o`: it is approved, and still valid. */
export const isStanding = sql`(o.state = 'approved'
  AND (o.decided_by_id IS NOT NULL OR NOT ${isOrdererGone('o.requested_by_id')}))`;

/** Whether a transfer `t` has moved its amount, or still may. */
const isLive = sql`t.state IN ('planned', 'sent', 'final')`;

/**
 * What one person alone ordered, and when: payouts and orders that no other person approved, while they are on their
 * way and after. Only columns that follow from what a worker or an owner's function wrote, or that triggers guard.
 */
const orderedAlone = sql`
  SELECT o.community_id, o.ordered_by_id AS by_id, t.amount_units AS units, t.created_at AS at
  FROM transfer t JOIN payout o ON o.id = t.payout_id JOIN distribution d ON d.id = o.distribution_id
  WHERE t.kind = 'distribute' AND ${isLive} AND d.decided_by_id IS NULL AND o.approved_by_id IS NULL
  UNION ALL
  SELECT o.community_id, o.requested_by_id, greatest(o.amount_units, (
      SELECT sum(l.amount_units) FROM money_order_line l WHERE l.order_id = o.id)), o.requested_at
  FROM money_order o
  WHERE o.decided_by_id IS NULL AND EXISTS (
    SELECT FROM money_order_line l LEFT JOIN pool_withdrawal r ON r.id = l.subject_id
    LEFT JOIN pool_deposit d ON d.id = l.subject_id LEFT JOIN credit_return c ON c.order_id = o.id
    JOIN transfer t ON t.id = coalesce(r.transfer_id, d.transfer_id, c.transfer_id) AND ${isLive}
    WHERE l.order_id = o.id)`;

/**
 * Condition over columns of an order that no other person approved: with what was ordered in its community,
 * or by its person, within the window before it, it exceeds what the environment of the workers lets one
 * person order. Settings can only be tighter, so an order that they allowed at the time is never refused.
 */
export const exceedsOwnLimit = (columns: { communityId: string; personId: string; at: string }) => {
  const [communityId, personId, at] = [columns.communityId, columns.personId, columns.at].map((name) =>
    sql.ref(name),
  );
  return sql`EXISTS (SELECT FROM platform_setting_default b
    WHERE b.name = 'approval_above_usdt' AND b.value <> 'null'
      AND (b.value #>> '{}')::numeric * ${sql.lit(String(decimalToUnits('1')))}::numeric < (
        SELECT greatest(sum(a.units) FILTER (WHERE a.community_id = ${communityId}),
          sum(a.units) FILTER (WHERE a.by_id = ${personId}))
        FROM (${orderedAlone}) a
        WHERE a.at > ${at} - make_interval(hours => ${sql.lit(APPROVAL_WINDOW_HOURS)}) AND a.at <= ${at}
          AND (a.community_id = ${communityId} OR a.by_id = ${personId})))`;
};

/** The acts of people that make a `money_order o`, as `AuditedAct`. @param from tables and conditions, with `o` */
export const actsOfOrder = (from: RawBuilder<unknown>) => sql`
  SELECT o.id::text AS order_id, a.action, jsonb_build_object('actor_id', a.actor_id) AS says,
    o.amount_units::text AS units, 'order.declined' AS ended_by
  FROM money_order o CROSS JOIN LATERAL (VALUES ('order.placed', o.requested_by_id), ('order.approved', o.decided_by_id))
    AS a (action, actor_id) ${from} AND a.actor_id IS NOT NULL`;

/** Condition over `money_order o`: its author alone decided it, and may not alone. */
export const isTooMuchAlone = sql`(o.decided_by_id IS NULL AND ${exceedsOwnLimit({
  communityId: 'o.community_id',
  personId: 'o.requested_by_id',
  at: 'o.requested_at',
})})`;
