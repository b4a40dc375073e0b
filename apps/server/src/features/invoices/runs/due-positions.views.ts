import type { InvoiceFacts } from '@copydesk/domain/invoices';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { listTradersToSend } from './run-lines.store.ts';
import type { ClaimedRun } from './runs.store.ts';

// For the worker only, which runs in the scope of everything.

/** The next traders of a run, in the order of their ids: with positions to invoice, or that its draft is to invoice. */
export async function listDueTraders(tx: Tx, run: ClaimedRun, limit: number): Promise<string[]> {
  if (run.state === 'sending') return listTradersToSend(tx, run, limit);
  const { traderId, communityId, afterTraderId } = run;
  const ofCommunity = communityId
    ? sql`AND p.trader_id IN (SELECT id FROM trader WHERE community_id = ${communityId})`
    : sql``;
  const { rows } = await sql<{ trader_id: string }>`
    SELECT p.trader_id FROM closed_position p
    WHERE p.invoice_id IS NULL AND p.closed_pnl > 0 AND p.double_of IS NULL
      ${afterTraderId ? sql`AND p.trader_id > ${afterTraderId}` : sql``}
      ${traderId ? sql`AND p.trader_id = ${traderId}` : sql``} ${ofCommunity}
    GROUP BY p.trader_id ORDER BY p.trader_id LIMIT ${sql.lit(limit)}`.execute(tx.sql);
  return rows.map((row) => row.trader_id);
}

/** The contents of a next invoice: positions of one trader at one provider that closed at one rate. */
export interface DueInvoice extends InvoiceFacts {
  traderId: string;
  communityId: string;
  providerId: string;
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
  provider_id: string;
  invoicing_enabled: boolean;
  deposit_index: number;
  deposit_address: string | null;
  commission_rate: string;
  payment_split: string | null;
  community_percentage: string;
  has_community_referrer: boolean;
  trader_referral_percentage: string | null;
  profit: string;
  position_ids: string[];
  exchange: string | null;
}

/**
 * The profitable positions of traders that are not invoiced yet, by provider and rate: a position is charged by the
 * provider of its account, at the rate that was in force when it closed (`commissionRateOf`). A position of unknown profit
 * waits until the profit is known. Positions closed before their account was connected here are excluded; readers do not
 * import them, and this condition makes sure.
 * @param isIssued the traders are locked, and so are the positions: they are about to be invoiced
 * @param until of a draft: what was stored later is left to the next run
 */
export async function findDueInvoices(
  tx: WriteTx,
  traderIds: readonly string[],
  { isIssued, until }: { isIssued: boolean; until: string | null },
): Promise<DueInvoice[]> {
  const { rows } = await sql<Row>`
    WITH due AS MATERIALIZED (
      SELECT p.id, p.trader_id, p.provider_id, p.closed_pnl, p.venue, greatest(
        (SELECT r.rate FROM commission_rate r WHERE r.community_id = t.community_id AND r.in_force_from <= p.closed_at
         ORDER BY r.in_force_from DESC LIMIT 1),
        (SELECT r.rate FROM commission_rate r WHERE r.provider_id = p.provider_id AND r.in_force_from <= p.closed_at
         ORDER BY r.in_force_from DESC LIMIT 1)) AS rate
      FROM closed_position p JOIN exchange_account a ON a.id = p.account_id JOIN trader t ON t.id = p.trader_id
      WHERE p.trader_id = ANY (${[...traderIds]}::uuid[]) AND p.invoice_id IS NULL AND p.closed_pnl > 0
        AND p.double_of IS NULL AND p.closed_at >= a.created_at
        ${until === null ? sql`` : sql`AND p.created_at <= ${until}::timestamptz`}
      ORDER BY p.id ${isIssued ? sql`FOR UPDATE OF p` : sql``}),
    summed AS (
      SELECT trader_id, provider_id, rate, sum(closed_pnl) AS profit, array_agg(id) AS position_ids,
        CASE WHEN min(venue) = max(venue) THEN min(venue) END AS exchange
      FROM due GROUP BY trader_id, provider_id, rate)
    SELECT t.id AS trader_id, t.community_id, s.provider_id, p.invoicing_enabled, t.deposit_index, t.deposit_address,
      s.rate::text AS commission_rate, p.payment_split_percentage::text AS payment_split,
      c.split_percentage::text AS community_percentage,
      c.referrer_wallet_address IS NOT NULL AS has_community_referrer,
      CASE WHEN r.external_wallet_address IS NOT NULL THEN c.trader_referral_percentage::text END
        AS trader_referral_percentage,
      s.profit::text AS profit, s.position_ids, s.exchange
    FROM summed s JOIN trader t ON t.id = s.trader_id JOIN community c ON c.id = t.community_id
    JOIN provider p ON p.id = s.provider_id
    LEFT JOIN trader r ON r.id = t.referred_by_trader_id
    ORDER BY t.id, s.provider_id, s.rate`.execute(tx.sql);
  return rows.map((row) => ({
    traderId: row.trader_id,
    communityId: row.community_id,
    providerId: row.provider_id,
    isInvoicingEnabled: row.invoicing_enabled,
    depositIndex: row.deposit_index,
    depositAddress: row.deposit_address,
    commissionRate: row.commission_rate,
    providerShare: row.payment_split,
    communityPercentage: row.community_percentage,
    hasCommunityReferrer: row.has_community_referrer,
    traderReferralPercentage: row.trader_referral_percentage,
    profit: row.profit,
    positionIds: row.position_ids,
    exchange: row.exchange,
  }));
}
