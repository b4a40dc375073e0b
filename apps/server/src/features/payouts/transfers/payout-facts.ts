import { sql } from 'kysely';
import { exceedsOwnLimit, isOrdererGone } from '../../../core/transfers/orders/standing.views.ts';
import { hasOtherAddress } from '../pending-shares.views.ts';

// Which facts allow the transfers of payouts, as expressions over `transfer i` and its `chain_wallet w`: NULL
// when the transfer is allowed. See `TransferPurpose.whyNotBacked`.

/** The wallet that a community pays from. */
const communityWallet = sql`SELECT FROM chain_wallet t WHERE t.chain_id = w.chain_id AND t.role = 'community'
  AND t.owner_id = i.community_id`;

/** A consolidation empties a trader's deposit address of the shares that name it, into its community's wallet. */
export const whyNoConsolidation = sql`CASE
  WHEN w.role <> 'deposit' THEN 'wrong_wallet'
  WHEN NOT EXISTS (${communityWallet} AND lower(t.address) = lower(i.to_address)) THEN 'wrong_recipient'
  WHEN EXISTS (SELECT FROM payable y JOIN invoice v ON v.id = y.invoice_id WHERE y.consolidation_id = i.id
    AND (v.trader_id <> w.owner_id OR y.community_id <> i.community_id OR y.paid_at IS NOT NULL
      OR y.settled_at IS NOT NULL)) THEN 'wrong_share'
  WHEN i.amount_units IS DISTINCT FROM (SELECT sum(y.amount_units) FROM payable y WHERE y.consolidation_id = i.id)
    THEN 'amount_differs' END`;

/**
 * A share `y` of an invoice `v` that is not what the chain and the split of the invoice give to its recipient. Payments
 * on an invoice come from deposits; those of imported ones from its opening, and those of a pool's fee from the transfer
 * of its cycle, both of which a worker has compared with the chain.
 */
const isUnfounded = sql`(v.status <> 'paid' OR y.settled_at IS NOT NULL OR y.paid_at IS NOT NULL
  OR y.community_id <> v.community_id OR y.provider_id IS DISTINCT FROM v.provider_id
  OR y.amount_units > CASE y.recipient_type
    WHEN 'tip' THEN v.paid_units - v.amount_units
    ELSE coalesce((SELECT sum((part ->> 'units')::numeric) FROM jsonb_array_elements(v.split) part
      WHERE part ->> 'recipient_type' = y.recipient_type), 0) END
  OR CASE v.settled_by
    WHEN 'pool' THEN NOT EXISTS (SELECT FROM harvest_cycle h JOIN transfer f ON f.id = h.fee_transfer_id
      WHERE h.id = v.harvest_cycle_id AND f.id = y.consolidation_id AND f.kind = 'pool_fee' AND f.state = 'final')
    WHEN 'chain' THEN NOT EXISTS (SELECT FROM journal j WHERE j.kind = 'invoice_paid' AND j.source_type = 'opening'
        AND j.source_id = v.id::text)
      AND v.amount_units > coalesce((SELECT sum(ip.amount_units) FROM invoice_payment ip
        JOIN payment p ON p.id = ip.payment_id AND p.trader_id = v.trader_id
        JOIN deposit d ON d.payment_id = p.id AND d.trader_id = v.trader_id AND d.amount_units = p.amount_units
        WHERE ip.invoice_id = v.id), 0)
    ELSE true END)`;

/** A payout pays one recipient the shares of an approved distribution, out of the community's wallet. */
export const whyNoPayout = sql`(
  SELECT CASE
    WHEN o.id IS NULL THEN 'no_fact'
    WHEN d.state IS DISTINCT FROM 'approved' OR o.status = 'failed' THEN 'not_approved'
    -- What nobody else approved does not outlive its author's right to order it.
    WHEN d.decided_by_id IS NULL AND ${isOrdererGone('o.ordered_by_id')} THEN 'orderer_gone'
    WHEN d.decided_by_id IS NULL AND o.approved_by_id IS NULL AND ${exceedsOwnLimit({
      communityId: 'o.community_id',
      personId: 'o.ordered_by_id',
      at: 'i.created_at',
    })} THEN 'over_own_limit'
    WHEN w.role <> 'community' OR w.owner_id <> o.community_id OR i.community_id <> o.community_id
      OR d.community_id <> o.community_id THEN 'wrong_wallet'
    WHEN lower(i.to_address) <> lower(o.recipient_address) THEN 'wrong_recipient'
    -- An owner who has another address now does not want the earlier one to be paid.
    WHEN ${hasOtherAddress} THEN 'address_changed'
    WHEN i.amount_units <> o.amount_units THEN 'amount_differs'
    WHEN o.amount_units IS DISTINCT FROM (SELECT sum(y.amount_units) FROM payable y WHERE y.payout_id = o.id)
      THEN 'shares_differ'
    -- An order only becomes smaller after it was approved.
    WHEN d.amount_units < (SELECT sum(e.amount_units) FROM payout e WHERE e.distribution_id = d.id) THEN 'order_differs'
    WHEN EXISTS (SELECT FROM payable y JOIN invoice v ON v.id = y.invoice_id
      WHERE y.payout_id = o.id AND ${isUnfounded}) THEN 'unfounded_share' END
  FROM (SELECT) one LEFT JOIN payout o ON o.id = i.payout_id LEFT JOIN distribution d ON d.id = o.distribution_id)`;

/** The distribution of a payout: who requested it, and who approved it where that was needed. */
export const distributionActs = sql`
  SELECT d.id::text AS order_id, a.action, jsonb_build_object('actor_id', a.actor_id) AS says,
    d.amount_units::text AS units, 'distribution.declined' AS ended_by
  FROM payout o JOIN distribution d ON d.id = o.distribution_id
  CROSS JOIN LATERAL (VALUES ('distribution.requested', d.requested_by_id), ('distribution.approved', d.decided_by_id),
    ('distribution.approved_first', d.first_approved_by_id)) AS a (action, actor_id)
  WHERE o.id = i.payout_id AND a.actor_id IS NOT NULL`;

/**
 * A payout above the largest one was allowed once: two further people have approved its distribution, or as many as there
 * are and an operator of the workers' machine. The database takes these columns from such people only.
 */
export const isAllowedAboveMaximum = sql`EXISTS (SELECT FROM payout o JOIN distribution d ON d.id = o.distribution_id
  WHERE o.id = i.payout_id AND d.is_above_maximum AND d.state = 'approved'
    AND (d.decided_by_id = 'operator' OR d.decided_by_id <> d.first_approved_by_id))`;
