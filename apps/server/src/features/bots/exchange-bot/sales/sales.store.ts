import type { CancelReason, CouponTerms } from '@copydesk/domain/exchange-bot';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';

/** A plan with its bot, as an order needs them. */
export interface OrderedPlan {
  id: string;
  botId: string;
  communityId: string;
  days: number;
  amountUnits: bigint;
  isOffered: boolean;
  isBotActive: boolean;
  isCommunityArchived: boolean;
}

export async function findOrderedPlan(tx: Tx, id: string): Promise<OrderedPlan | null> {
  const { rows } = await sql<Omit<OrderedPlan, 'amountUnits'> & { units: string }>`
    SELECT p.id, p.bot_id AS "botId", b.community_id AS "communityId", p.days, p.amount_units::text AS units,
      p.is_active AS "isOffered", b.is_active AS "isBotActive", c.is_archived AS "isCommunityArchived"
    FROM exchange_bot_plan p JOIN exchange_bot b ON b.id = p.bot_id JOIN community c ON c.id = b.community_id
    WHERE p.id = ${id} AND p.deleted_at IS NULL`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { units, ...plan } = row;
  return { ...plan, amountUnits: BigInt(units) };
}

export interface LockedCoupon extends CouponTerms {
  id: string;
  code: string;
}

/** A coupon of a bot. Orders that use it take turns, so that no limit is exceeded. */
export async function lockCoupon(tx: WriteTx, botId: string, code: string): Promise<LockedCoupon | null> {
  const { rows } = await sql<
    Omit<LockedCoupon, 'amountUnits' | 'startsAt' | 'endsAt'> & {
      units: string | null;
      starts_at: Date | null;
      ends_at: Date | null;
    }
  >`
    SELECT c.id, c.code, c.percent, c.amount_units::text AS units, c.starts_at, c.ends_at, c.max_uses AS "maxUses",
      c.max_uses_per_user AS "maxUsesPerUser", c.plan_ids AS "planIds"
    FROM exchange_bot_coupon c WHERE c.bot_id = ${botId} AND c.code = ${code} AND c.deleted_at IS NULL
    FOR NO KEY UPDATE`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { units, starts_at, ends_at, ...coupon } = row;
  return {
    ...coupon,
    amountUnits: units === null ? null : BigInt(units),
    startsAt: starts_at?.getTime() ?? null,
    endsAt: ends_at?.getTime() ?? null,
  };
}

/** How often a locked coupon was used, in all and by a buyer. Cancelled orders give their use back. */
export async function countUses(
  tx: Tx,
  { id, maxUses, maxUsesPerUser }: LockedCoupon,
  traderId: string,
): Promise<{ uses: number; usesOfUser: number }> {
  const used = sql`SELECT FROM exchange_bot_sale s WHERE s.coupon_id = ${id} AND s.cancelled_because IS NULL`;
  // Unlimited uses are not counted.
  const { rows } = await sql<{ uses: number; usesOfUser: number }>`
    SELECT (SELECT count(*)::int FROM (${used} LIMIT ${maxUses ?? 0}) u) AS uses,
      (SELECT count(*)::int FROM (${used} AND s.trader_id = ${traderId} LIMIT ${maxUsesPerUser ?? 0}) u)
        AS "usesOfUser"`.execute(tx.sql);
  return rows[0] as { uses: number; usesOfUser: number };
}

export async function insertSale(
  tx: WriteTx,
  sale: {
    invoiceId: string;
    botId: string;
    traderId: string;
    planId: string;
    couponId: string | null;
    days: number;
    priceUnits: bigint;
    discountUnits: bigint;
    communityPercentage: string;
    expiresAt: Date;
  },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO exchange_bot_sale (invoice_id, bot_id, trader_id, plan_id, coupon_id, days, price_units,
      discount_units, community_percentage, expires_at, created_at)
    VALUES (${sale.invoiceId}, ${sale.botId}, ${sale.traderId}, ${sale.planId}, ${sale.couponId}, ${sale.days},
      ${sale.priceUnits.toString()}, ${sale.discountUnits.toString()}, ${sale.communityPercentage}, ${sale.expiresAt}, ${at})`.execute(
    tx.sql,
  );
}

export async function saveCoupon(
  tx: WriteTx,
  invoiceId: string,
  { couponId, discountUnits }: { couponId: string; discountUnits: bigint },
): Promise<void> {
  await sql`UPDATE exchange_bot_sale SET coupon_id = ${couponId}, discount_units = ${discountUnits.toString()}
    WHERE invoice_id = ${invoiceId}`.execute(tx.sql);
}

export async function saveCancelled(
  tx: WriteTx,
  ids: readonly string[],
  because: CancelReason,
): Promise<void> {
  await sql`UPDATE exchange_bot_sale SET cancelled_because = ${because}
    WHERE invoice_id = ANY (${[...ids]}::uuid[])`.execute(tx.sql);
}

/** The open orders of a buyer with a bot. */
export async function listOpenSales(tx: Tx, botId: string, traderId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.invoice_id AS id FROM exchange_bot_sale s
    WHERE s.trader_id = ${traderId} AND s.bot_id = ${botId} AND s.sold_at IS NULL AND s.cancelled_because IS NULL`.execute(
    tx.sql,
  );
  return rows.map(({ id }) => id);
}

/** Money that is on its way keeps an order for this long beyond its time, whatever is sent. */
const LONGEST_DELAY = '1 hour';

/** Orders whose time to pay is over, of which nothing was paid and nothing is on its way, the oldest first. */
export async function listExpired(tx: Tx, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.invoice_id AS id FROM exchange_bot_sale s JOIN invoice i ON i.id = s.invoice_id
    WHERE s.sold_at IS NULL AND s.cancelled_because IS NULL AND s.expires_at <= ${at} AND i.paid_units = 0
      AND (s.expires_at <= ${at}::timestamptz - ${LONGEST_DELAY}::interval OR s.trader_id <> ALL (ARRAY(
        SELECT w.trader_id FROM app.on_its_way(ARRAY(SELECT n.trader_id FROM incoming_transfer n)) w)))
    ORDER BY s.expires_at LIMIT ${limit}`.execute(tx.sql);
  return rows.map(({ id }) => id);
}

/** The order of this plan that a late payment has revived within a day, if its buyer was not notified yet. */
export async function findRevived(
  tx: Tx,
  { planId, traderId }: { planId: string; traderId: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.invoice_id AS id FROM exchange_bot_sale s
    WHERE s.trader_id = ${traderId} AND s.plan_id = ${planId} AND s.revived_at > now() - interval '1 day'
      AND s.sold_at IS NOT NULL AND s.paid_noted_at IS NULL
    ORDER BY s.revived_at DESC LIMIT 1`.execute(tx.sql);
  return rows[0]?.id ?? null;
}
