import type { PayoutFacts } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
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
