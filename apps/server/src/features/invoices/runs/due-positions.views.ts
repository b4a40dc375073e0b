import type { InvoiceFacts } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { ClaimedRun } from './runs.store.ts';

// For the worker only, which runs in the scope of everything.

/** The next traders of a run with positions to invoice, in the order of their ids. */
export async function listDueTraders(
  tx: Tx,
  { traderId, communityId, afterTraderId }: ClaimedRun,
  limit: number,
): Promise<string[]> {
  const ofCommunity = communityId
    ? sql`AND p.trader_id IN (SELECT id FROM trader WHERE community_id = ${communityId})`
    : sql``;
  const { rows } = await sql<{ trader_id: string }>`
    SELECT p.trader_id FROM closed_position p
    WHERE p.invoice_id IS NULL AND p.closed_pnl > 0
      ${afterTraderId ? sql`AND p.trader_id > ${afterTraderId}` : sql``}
      ${traderId ? sql`AND p.trader_id = ${traderId}` : sql``} ${ofCommunity}
    GROUP BY p.trader_id ORDER BY p.trader_id LIMIT ${sql.lit(limit)}`.execute(tx.sql);
  return rows.map((row) => row.trader_id);
}

/** The contents of one trader's next invoice. */
export interface DueTrader extends InvoiceFacts {
  traderId: string;
  communityId: string;
  providerId: string | null;
  isInvoicingEnabled: boolean;
  depositIndex: number;
  depositAddress: string | null;
  positionIds: string[];
  /** The exchange of all positions; null when there are several. */
  exchange: string | null;
}

interface Row {
  trader_id: string;
  community_id: string;
  provider_id: string | null;
  invoicing_enabled: boolean;
  deposit_index: number;
  deposit_address: string | null;
  commission_rate: string;
  minimum_commission_rate: string | null;
  payment_split: string | null;
  community_percentage: string;
  has_community_referrer: boolean;
  trader_referral_percentage: string | null;
  profit: string;
  position_ids: string[];
  exchange: string | null;
}

/**
 * Locks the profitable positions of locked traders that are not invoiced yet, and returns them with today's terms. A
 * position of unknown profit waits until the profit is known. Positions closed before their account was connected here
 * are excluded; readers do not import them, and this condition makes sure.
 */
export async function lockDueTraders(tx: WriteTx, traderIds: readonly string[]): Promise<DueTrader[]> {
  const { rows } = await sql<Row>`
    WITH due AS MATERIALIZED (
      SELECT p.id, p.trader_id, p.closed_pnl, a.exchange
      FROM closed_position p JOIN exchange_account a ON a.id = p.account_id
      WHERE p.trader_id = ANY (${[...traderIds]}::uuid[]) AND p.invoice_id IS NULL AND p.closed_pnl > 0
        AND p.closed_at >= a.created_at
      ORDER BY p.id FOR UPDATE OF p),
    summed AS (
      SELECT trader_id, sum(closed_pnl) AS profit, array_agg(id) AS position_ids,
        CASE WHEN min(exchange) = max(exchange) THEN min(exchange) END AS exchange
      FROM due GROUP BY trader_id)
    SELECT t.id AS trader_id, t.community_id, t.selected_provider_id AS provider_id,
      coalesce(p.invoicing_enabled, true) AS invoicing_enabled, t.deposit_index, t.deposit_address,
      c.commission_rate::text AS commission_rate, p.minimum_commission_rate::text AS minimum_commission_rate,
      p.payment_split_percentage::text AS payment_split, c.split_percentage::text AS community_percentage,
      c.referrer_wallet_address IS NOT NULL AS has_community_referrer,
      CASE WHEN r.external_wallet_address IS NOT NULL THEN c.trader_referral_percentage::text END
        AS trader_referral_percentage,
      s.profit::text AS profit, s.position_ids, s.exchange
    FROM summed s JOIN trader t ON t.id = s.trader_id JOIN community c ON c.id = t.community_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id
    LEFT JOIN trader r ON r.id = t.referred_by_trader_id
    ORDER BY t.id`.execute(tx.sql);
  return rows.map((row) => ({
    traderId: row.trader_id,
    communityId: row.community_id,
    providerId: row.provider_id,
    isInvoicingEnabled: row.invoicing_enabled,
    depositIndex: row.deposit_index,
    depositAddress: row.deposit_address,
    communityCommissionRate: row.commission_rate,
    providerMinimumRate: row.minimum_commission_rate,
    providerShare: row.payment_split,
    communityPercentage: row.community_percentage,
    hasCommunityReferrer: row.has_community_referrer,
    traderReferralPercentage: row.trader_referral_percentage,
    profit: row.profit,
    positionIds: row.position_ids,
    exchange: row.exchange,
  }));
}
