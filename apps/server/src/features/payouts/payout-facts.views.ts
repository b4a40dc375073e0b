import type { CallAnswer } from '@copydesk/contract';
import type { RecipientType } from '@copydesk/domain/catalogue';
import { belongingTo, type PayoutFacts, type StrandedAt } from '@copydesk/domain/payouts';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';
import { usdt } from '../../platform/db/usdt-text.ts';
import { isFreeShare } from './consolidations/consolidations.views.ts';

import { hasOtherAddress } from './pending-shares.views.ts';

/** A payout, and what decides which actions it allows. */
export interface KnownPayout extends PayoutFacts {
  id: string;
  communityId: string;
}

/**
 * The facts of these payouts, without those that do not exist. For super admins: others see no transfers.
 */
export async function listPayoutFacts(tx: Tx, payoutIds: readonly string[]): Promise<KnownPayout[]> {
  const { rows } = await sql<KnownPayout>`
    SELECT o.id, o.community_id AS "communityId", o.status, coalesce(d.state = 'approved', false) AS "isApproved",
      o.distribution_id IS NULL AS "isImported",
      o.amount_units = (SELECT coalesce(sum(y.amount_units), 0) FROM payable y WHERE y.payout_id = o.id)
        AS "hasItsShares", NOT ${hasOtherAddress} AS "hasItsAddress", t.state AS transfer,
      coalesce(t.is_cancel_asked, false) AS "isCancelAsked"
    FROM payout o
    LEFT JOIN distribution d ON d.id = o.distribution_id
    LEFT JOIN LATERAL (SELECT i.state, i.is_cancel_asked FROM transfer i
      WHERE i.payout_id = o.id ORDER BY i.created_at DESC, i.state = 'planned' DESC LIMIT 1) t ON true
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    ORDER BY o.id`.execute(tx.sql);
  return rows;
}

type RetriedWith = CallAnswer<'GET /api/sweep-operations/{id}'>['data']['retried_with'];
/** A payout that is paid again because of another. */
export interface TakenAlong {
  id: string;
  communityId: string;
  /** The other one. */
  by: string;
}

/**
 * The payouts that a retry of these takes along: they failed because of a deposit address that it empties. Those that a
 * person cancelled, or whose own transfer failed, are not among them; their transfers are not planned any more.
 */
export async function listTakenAlong(tx: Tx, payoutIds: readonly string[]): Promise<TakenAlong[]> {
  const ids = [...payoutIds];
  const { rows } = await sql<StrandedAt & { communityId: string }>`
    SELECT DISTINCT o.id AS "payoutId", i.trader_id AS "traderId", o.community_id AS "communityId"
    FROM payout o
    JOIN payable y ON y.payout_id = o.id
    JOIN invoice i ON i.id = y.invoice_id
    WHERE o.status = 'failed'
      AND o.community_id = ANY (ARRAY(SELECT a.community_id FROM payout a WHERE a.id = ANY (${ids}::uuid[])))
      AND o.distribution_id IS NOT NULL AND ${isFreeShare} AND ${communityInScope(tx, 'o.community_id')}
      AND (o.id = ANY (${ids}::uuid[])
        OR EXISTS (SELECT FROM transfer t WHERE t.payout_id = o.id AND t.state = 'planned'))`.execute(tx.sql);
  return [...Map.groupBy(rows, ({ communityId }) => communityId)].flatMap(([communityId, stranded]) =>
    [...belongingTo(ids, stranded)].map(([id, by]) => ({ id, communityId, by })),
  );
}

/** Those of one payout as they are shown. */
export async function showTakenAlong(tx: Tx, along: readonly TakenAlong[]): Promise<RetriedWith> {
  const lines = await listPayoutLines(
    tx,
    along.map(({ id }) => id),
  );
  return lines.map(({ community: _, hasWallet: __, ...line }) => line);
}

/** A payout as shown in a plan. */
export interface PayoutLine {
  id: string;
  community: { id: string; name: string };
  recipient_type: RecipientType;
  recipient_address: string;
  /** USDT, all of it: for callers who see everything. */
  amount: string;
  /** Whether its community has a wallet to pay from. */
  hasWallet: boolean;
}

/** Payouts as they are shown in plans, by community and age. */
export async function listPayoutLines(tx: Tx, payoutIds: readonly string[]): Promise<PayoutLine[]> {
  if (payoutIds.length === 0) return [];
  const { rows } = await sql<PayoutLine>`
    SELECT o.id, json_build_object('id', c.id, 'name', c.name) AS community, o.recipient_type, o.recipient_address,
      ${usdt(sql`o.amount_units`)} AS amount, c.internal_wallet_address IS NOT NULL AS "hasWallet"
    FROM payout o JOIN community c ON c.id = o.community_id
    WHERE o.id = ANY (${[...payoutIds]}::uuid[]) AND ${communityInScope(tx, 'o.community_id')}
    ORDER BY lower(c.name), c.id, o.created_at, o.id`.execute(tx.sql);
  return rows;
}
