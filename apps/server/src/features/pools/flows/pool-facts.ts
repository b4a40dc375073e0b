import { sql } from 'kysely';
import { actsOfOrder, isStanding, isTooMuchAlone } from '../../../core/transfers/orders/standing.views.ts';
import { isOrdered } from './withdrawals.store.ts';

// Which facts allow the transfers of pools, as expressions over `transfer i` and its `chain_wallet w`: NULL
// when the transfer is allowed. See `TransferPurpose.whyNotBacked`.

/** The deposits that a transfer moves: all of one member, whose deposit address it empties of them. */
const whyNoDeposits = (state: 'collecting' | 'returning') => sql`
    WHEN w.role <> 'pool_deposit' THEN 'wrong_wallet'
    WHEN EXISTS (SELECT FROM pool_deposit d WHERE d.transfer_id = i.id
      AND (d.member_id <> w.owner_id OR d.state <> ${sql.lit(state)})) THEN 'wrong_deposit'
    WHEN i.amount_units IS DISTINCT FROM (SELECT sum(d.amount_units) FROM pool_deposit d WHERE d.transfer_id = i.id)
      THEN 'amount_differs'`;

/** The wallet `w` is the proxy wallet of a pool of the transfer's community. */
const isProxy = sql`(w.role = 'pool_proxy' AND EXISTS (SELECT FROM pooled_account p
  WHERE p.id = w.owner_id AND p.community_id = i.community_id))`;

export const whyNoCollection = sql`CASE ${whyNoDeposits('collecting')}
    WHEN NOT EXISTS (SELECT FROM pool_member m JOIN chain_wallet x ON x.owner_id = m.pooled_account_id
      AND x.role = 'pool_proxy' AND x.chain_id = w.chain_id
      WHERE m.id = w.owner_id AND lower(x.address) = lower(i.to_address)) THEN 'wrong_recipient' END`;

/** A member is paid at its present address. After a change of it, the request is taken up again under the hold. */
export const whyNoReturn = sql`CASE ${whyNoDeposits('returning')}
    WHEN EXISTS (SELECT FROM pool_deposit d WHERE d.transfer_id = i.id AND NOT EXISTS (
      SELECT FROM money_order o JOIN money_order_line l ON l.order_id = o.id
      WHERE o.id = d.return_order_id AND o.act = 'pool_return' AND ${isStanding} AND NOT ${isTooMuchAlone}
        AND l.subject_id = d.id AND l.amount_units = d.amount_units AND lower(l.to_address) = lower(i.to_address))) THEN 'not_ordered'
    WHEN NOT EXISTS (SELECT FROM pool_member m JOIN trader t ON t.id = m.trader_id WHERE m.id = w.owner_id
      AND lower(t.external_wallet_address) = lower(i.to_address)) THEN 'wrong_recipient' END`;

export const returnActs = actsOfOrder(sql`
  WHERE o.id IN (SELECT d.return_order_id FROM pool_deposit d WHERE d.transfer_id = i.id)`);

/** The ledger holds the amount of withdrawal `r` back, of its member, in its present attempt. */
const isReserved = sql`EXISTS (
  SELECT FROM ledger_reservation v JOIN ledger_account a ON a.id = v.account_id
  WHERE v.source_type = 'pool_withdrawal' AND v.source_id = r.id || ':' || r.attempt AND v.amount = r.reserved_units
    AND a.kind = 'pool_capital' AND a.owner_id = r.member_id
    AND NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = v.id))`;

export const whyNoWithdrawal = sql`(
  SELECT CASE
    WHEN r.id IS NULL THEN 'no_fact'
    WHEN r.state <> 'paying' THEN 'wrong_state'
    WHEN NOT ${isProxy} OR w.owner_id <> r.pooled_account_id THEN 'wrong_wallet'
    WHEN lower(i.to_address) IS DISTINCT FROM lower(t.external_wallet_address) THEN 'wrong_recipient'
    WHEN i.amount_units IS DISTINCT FROM r.reserved_units THEN 'amount_differs'
    WHEN r.reserved_units > r.amount_units THEN 'amount_differs'
    WHEN NOT ${isReserved} THEN 'not_reserved'
    WHEN r.order_id IS NOT NULL AND NOT ${isOrdered('r')} THEN 'not_ordered'
    WHEN r.order_id IS NOT NULL AND ${isTooMuchAlone} THEN 'over_own_limit' END
  FROM (SELECT) one LEFT JOIN pool_withdrawal r ON r.transfer_id = i.id
  LEFT JOIN money_order o ON o.id = r.order_id
  LEFT JOIN pool_member m ON m.id = r.member_id LEFT JOIN trader t ON t.id = m.trader_id)`;

/**
 * What was asked for, of which member, and the order of it. Only what a program asked for needs none. Parts of everything
 * go on after the first of them was cancelled.
 */
export const withdrawalActs = sql`
  ${actsOfOrder(sql`JOIN pool_withdrawal r ON r.order_id = o.id WHERE r.transfer_id = i.id`)}
  UNION ALL
  SELECT coalesce(r.part_of, r.id)::text, 'pool.withdrawal_requested', jsonb_strip_nulls(jsonb_build_object(
      'target_id', m.trader_id, 'actor_kind', CASE WHEN r.order_id IS NULL THEN 'service' END)),
    coalesce(r.amount_units::text, 'all'), CASE WHEN r.part_of IS NULL THEN 'pool.withdrawal_cancelled' END
  FROM pool_withdrawal r JOIN pool_member m ON m.id = r.member_id WHERE r.transfer_id = i.id`;

export const whyNoFunding = sql`(
  SELECT CASE
    WHEN f.cycle_id IS NULL THEN 'no_fact'
    WHEN f.state <> 'ordered' THEN 'wrong_state'
    WHEN NOT ${isProxy} OR w.owner_id <> h.pooled_account_id THEN 'wrong_wallet'
    WHEN lower(i.to_address) IS DISTINCT FROM lower(p.bybit_deposit_address) OR p.bybit_deposit_address_from > now()
      THEN 'wrong_recipient'
    WHEN i.amount_units <> f.units THEN 'amount_differs' END
  FROM (SELECT) one LEFT JOIN harvest_funding f ON f.transfer_id = i.id
  LEFT JOIN harvest_cycle h ON h.id = f.cycle_id LEFT JOIN pooled_account p ON p.id = h.pooled_account_id)`;

export const whyNoFee = sql`(
  SELECT CASE
    WHEN h.id IS NULL THEN 'no_fact'
    WHEN NOT ${isProxy} OR w.owner_id <> h.pooled_account_id THEN 'wrong_wallet'
    WHEN NOT EXISTS (SELECT FROM chain_wallet t WHERE t.chain_id = w.chain_id AND t.role = 'community'
      AND t.owner_id = i.community_id AND lower(t.address) = lower(i.to_address)) THEN 'wrong_recipient'
    WHEN i.amount_units IS DISTINCT FROM (SELECT sum(v.amount_units) FROM invoice v
      WHERE v.harvest_cycle_id = h.id AND v.status = 'pending') THEN 'amount_differs' END
  FROM (SELECT) one LEFT JOIN harvest_cycle h ON h.fee_transfer_id = i.id)`;

export const whyNoSendingBack = sql`(
  SELECT CASE
    WHEN e.id IS NULL THEN 'no_fact'
    WHEN e.state <> 'sending' OR e.kind <> 'sent_back' OR e.decided_by IS NULL THEN 'not_approved'
    WHEN NOT ${isProxy} OR w.owner_id <> a.pooled_account_id THEN 'wrong_wallet'
    WHEN lower(i.to_address) <> lower(e.to_address) THEN 'wrong_recipient'
    WHEN i.amount_units <> e.amount_units THEN 'amount_differs' END
  FROM (SELECT) one LEFT JOIN pool_arrival_decision e ON e.transfer_id = i.id
  LEFT JOIN pool_arrival a ON a.id = e.arrival_id)`;

/** One super admin proposed it, and another one confirmed it. */
export const sendingBackActs = sql`
  SELECT e.id::text AS order_id, a.action, jsonb_build_object('actor_id', a.actor_id) AS says,
    e.amount_units::text AS units, NULL AS ended_by
  FROM pool_arrival_decision e CROSS JOIN LATERAL (VALUES ('pool.arrival_decision_proposed', e.requested_by_id),
    ('pool.arrival_decision_confirmed', e.decided_by_id)) AS a (action, actor_id)
  WHERE e.transfer_id = i.id`;
