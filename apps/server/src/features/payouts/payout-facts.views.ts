import type { CallAnswer } from '@copydesk/contract';
import { belongingTo, type PayoutFacts, type StrandedAt } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { isFreeShare } from './consolidations/consolidations.views.ts';
import { usdt } from './history/payout-json.ts';
import { hasOtherAddress } from './pending-shares.views.ts';

/**
 * The facts that decide which actions a payout allows; null when there is none. For super admins: others see no
 * transfers.
 */
export async function findPayoutFacts(tx: Tx, payoutId: string): Promise<PayoutFacts | null> {
  const { rows } = await sql<PayoutFacts>`
    SELECT o.status, coalesce(d.state = 'approved', false) AS "isApproved",
      o.distribution_id IS NULL AS "isImported",
      o.amount_units = (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id)
        AS "hasItsShares", NOT ${hasOtherAddress} AS "hasItsAddress", t.state AS transfer,
      coalesce(t.is_cancel_asked, false) AS "isCancelAsked"
    FROM payout o
    LEFT JOIN distribution d ON d.id = o.distribution_id
    LEFT JOIN LATERAL (SELECT i.state, i.is_cancel_asked FROM transfer i
      WHERE i.payout_id = o.id ORDER BY i.created_at DESC, i.state = 'planned' DESC LIMIT 1) t ON true
    WHERE o.id = ${payoutId} AND ${communityInScope(tx, 'o.community_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

type RetriedWith = CallAnswer<'GET /api/sweep-operations/{id}'>['data']['retried_with'];

/**
 * The payouts that a retry of one takes along: they failed because of a deposit address that it empties. Those that a
 * person cancelled, or whose own transfer failed, are not among them; their transfers are not planned any more.
 */
export async function listRetriedWith(tx: Tx, payoutId: string): Promise<RetriedWith> {
  const { rows: stranded } = await sql<StrandedAt>`
    SELECT DISTINCT o.id AS "payoutId", i.trader_id AS "traderId"
    FROM payout asked
    JOIN payout o ON o.community_id = asked.community_id AND o.status = 'failed'
    JOIN payable y ON y.payout_id = o.id
    JOIN invoice i ON i.id = y.invoice_id
    WHERE asked.id = ${payoutId} AND o.distribution_id IS NOT NULL AND ${isFreeShare}
      AND ${communityInScope(tx, 'o.community_id')}
      AND (o.id = asked.id OR EXISTS (SELECT FROM transfer t WHERE t.payout_id = o.id AND t.state = 'planned'))`.execute(
    tx.sql,
  );
  const ids = belongingTo(payoutId, stranded);
  if (ids.length === 0) return [];
  const { rows } = await sql<RetriedWith[number]>`
    SELECT o.id, o.recipient_address, o.recipient_type, ${usdt(sql`o.amount_units`)} AS amount
    FROM payout o WHERE o.id = ANY (${ids}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    ORDER BY o.created_at, o.id`.execute(tx.sql);
  return rows;
}
