import type { PoolAllocation, PoolFeeBasis } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { lockTradersWhere } from '../../../core/traders/lock-traders.store.ts';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { CyclePlace, PoolResult } from './decide-result.ts';

// For the worker, which runs in the scope of everything.

/** Members with a virtual balance, in the order of their ids. */
export async function listShares(tx: Tx, poolId: string): Promise<{ memberId: string; units: bigint }[]> {
  const { rows } = await sql<{ id: string; units: string }>`
    SELECT m.id, m.capital_units::text AS units FROM pool_member m
    WHERE m.pooled_account_id = ${poolId} AND m.capital_units > 0 ORDER BY m.id`.execute(tx.sql);
  return rows.map(({ id, units }) => ({ memberId: id, units: BigInt(units) }));
}

/** The profits of a cycle's profitable positions, in base units; those of unknown result are left out. */
export async function sumWinners(tx: Tx, cycleId: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT trunc(coalesce(sum(p.result), 0) * 10::numeric ^ 18)::text AS units FROM pool_position p
    WHERE p.cycle_id = ${cycleId} AND p.result > 0`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}

export interface NewAllocation {
  memberId: string;
  place: number;
  shareUnits: bigint;
  allocatedUnits: bigint;
  winnersUnits: bigint;
}

/** Stores the result of a cycle with every member's part. */
export async function insertResult(
  tx: WriteTx,
  { cycleId }: CyclePlace,
  result: PoolResult,
  allocations: readonly NewAllocation[],
): Promise<void> {
  await sql`
    UPDATE harvest_cycle SET result_units = ${result.resultUnits.toString()},
      valued_returned_units = ${result.returnedUnits.toString()},
      valued_exchange_units = ${result.exchangeUnits.toString()},
      valued_lost_units = ${result.lostInTransitUnits.toString()},
      valued_unexplained_units = ${result.unexplainedUnits.toString()},
      valued_uncovered_units = ${result.uncoveredUnits.toString()},
      valued_foreign_units = nullif(${result.foreignUnits.toString()}::numeric, 0)
    WHERE id = ${cycleId} AND result_units IS NULL`.execute(tx.sql);
  const column = <K extends keyof NewAllocation>(key: K) => allocations.map((each) => String(each[key]));
  await sql`
    INSERT INTO harvest_allocation (cycle_id, member_id, place, share_units, allocated_units, winners_units)
    SELECT ${cycleId}::uuid, * FROM unnest(${column('memberId')}::uuid[], ${column('place')}::integer[],
      ${column('shareUnits')}::numeric[], ${column('allocatedUnits')}::numeric[],
      ${column('winnersUnits')}::numeric[])`.execute(tx.sql);
}

/** @param drawdown of the pool with this result, per cent */
export async function noteDrawdown(tx: WriteTx, { cycleId }: CyclePlace, drawdown: string): Promise<void> {
  await sql`UPDATE harvest_cycle SET drawdown_percentage = ${drawdown}::numeric WHERE id = ${cycleId}`.execute(
    tx.sql,
  );
}

/** The result of a cycle as it was decided, from which its journals are derived. */
export interface DecidedResult {
  returnedUnits: bigint;
  exchangeUnits: bigint;
  lostInTransitUnits: bigint;
  foreignUnits: bigint;
  feeBasis: PoolFeeBasis;
  allocation: PoolAllocation;
  /** Place of the first member that is not booked yet; null: all are. */
  nextPlace: number | null;
}

export async function readResult(tx: Tx, { poolId, cycleId }: CyclePlace): Promise<DecidedResult | null> {
  const { rows } = await sql<{
    returned: string;
    exchange: string;
    lost: string;
    foreign_units: string;
    uncovered: string;
    unexplained: string;
    fee_basis: PoolFeeBasis;
  }>`
    SELECT h.valued_returned_units::text AS returned, h.valued_exchange_units::text AS exchange,
      h.valued_lost_units::text AS lost, h.valued_uncovered_units::text AS uncovered, p.fee_basis,
      coalesce(h.valued_foreign_units, 0)::text AS foreign_units,
      -- Only a pool without members gives or takes money with an unknown owner.
      (h.result_units + h.valued_uncovered_units - coalesce((
        SELECT sum(a.allocated_units) FROM harvest_allocation a WHERE a.cycle_id = h.id), 0))::text AS unexplained
    FROM harvest_cycle h JOIN pooled_account p ON p.id = h.pooled_account_id
    WHERE h.id = ${cycleId} AND p.id = ${poolId} AND h.result_units IS NOT NULL`.execute(tx.sql);
  const [row] = rows;
  if (!row) return null;
  const { rows: parts } = await sql<{ member_id: string; units: string; place: number; is_booked: boolean }>`
    SELECT a.member_id, a.allocated_units::text AS units, a.place, a.booked_at IS NOT NULL AS is_booked
    FROM harvest_allocation a WHERE a.cycle_id = ${cycleId} ORDER BY a.place`.execute(tx.sql);
  return {
    returnedUnits: BigInt(row.returned),
    exchangeUnits: BigInt(row.exchange),
    lostInTransitUnits: BigInt(row.lost),
    foreignUnits: BigInt(row.foreign_units),
    feeBasis: row.fee_basis,
    allocation: {
      parts: parts.map(({ member_id, units }) => ({ memberId: member_id, units: BigInt(units) })),
      unexplainedUnits: BigInt(row.unexplained),
      uncoveredUnits: BigInt(row.uncovered),
    },
    nextPlace: parts.find(({ is_booked }) => !is_booked)?.place ?? null,
  };
}

/** A member of a chunk, with the terms of its fee as they are now. */
export interface DueMember {
  memberId: string;
  traderId: string;
  shareUnits: bigint;
  allocatedUnits: bigint;
  winnersUnits: bigint;
  carryUnits: bigint;
  providerId: string | null;
  isInvoicingEnabled: boolean;
  communityCommissionRate: string;
  providerMinimumRate: string | null;
  providerShare: string | null;
  communityPercentage: string;
  hasCommunityReferrer: boolean;
  traderReferralPercentage: string | null;
}

interface DueRow extends Omit<DueMember, 'shareUnits' | 'allocatedUnits' | 'winnersUnits' | 'carryUnits'> {
  share: string;
  allocated: string;
  winners: string;
  carry: string;
}

/** The members of a chunk that are not booked yet, locked with their traders. */
export async function lockChunk(
  tx: WriteTx,
  cycleId: string,
  { from, to }: { from: number; to: number },
): Promise<DueMember[]> {
  const chosen = sql`a.cycle_id = ${cycleId} AND a.place >= ${from} AND a.place < ${to} AND a.booked_at IS NULL`;
  await lockTradersWhere(
    tx,
    sql`t.id IN (SELECT m.trader_id FROM harvest_allocation a JOIN pool_member m ON m.id = a.member_id WHERE ${chosen})`,
  );
  const { rows } = await sql<DueRow>`
    SELECT a.member_id AS "memberId", t.id AS "traderId", a.share_units::text AS share,
      a.allocated_units::text AS allocated, a.winners_units::text AS winners, m.carry_units::text AS carry,
      t.selected_provider_id AS "providerId", coalesce(p.invoicing_enabled, true) AS "isInvoicingEnabled",
      c.commission_rate::text AS "communityCommissionRate",
      p.minimum_commission_rate::text AS "providerMinimumRate", p.payment_split_percentage::text AS "providerShare",
      c.split_percentage::text AS "communityPercentage",
      c.referrer_wallet_address IS NOT NULL AS "hasCommunityReferrer",
      CASE WHEN r.external_wallet_address IS NOT NULL THEN c.trader_referral_percentage::text END
        AS "traderReferralPercentage"
    FROM harvest_allocation a JOIN pool_member m ON m.id = a.member_id
    JOIN pooled_account o ON o.id = m.pooled_account_id JOIN community c ON c.id = o.community_id
    JOIN trader t ON t.id = m.trader_id
    LEFT JOIN provider p ON p.id = t.selected_provider_id LEFT JOIN trader r ON r.id = t.referred_by_trader_id
    WHERE ${chosen} ORDER BY a.place FOR NO KEY UPDATE OF m`.execute(tx.sql);
  return rows.map(({ share, allocated, winners, carry, ...row }) => ({
    ...row,
    shareUnits: BigInt(share),
    allocatedUnits: BigInt(allocated),
    winnersUnits: BigInt(winners),
    carryUnits: BigInt(carry),
  }));
}

export interface Booked {
  memberId: string;
  providerId: string | null;
  invoiceId: string | null;
  feeUnits: bigint;
  carryBeforeUnits: bigint;
  carryAfterUnits: bigint;
  capitalAfterUnits: bigint;
}

/** Notes members as booked, with their fees and carries. */
export async function saveBooked(
  tx: WriteTx,
  cycleId: string,
  booked: readonly Booked[],
  at: Date,
): Promise<void> {
  const column = <K extends keyof Booked>(key: K) =>
    booked.map((each) => (each[key] === null ? null : String(each[key])));
  await sql`
    WITH n AS (SELECT * FROM unnest(${column('memberId')}::uuid[], ${column('providerId')}::uuid[],
      ${column('invoiceId')}::uuid[], ${column('feeUnits')}::numeric[], ${column('carryBeforeUnits')}::numeric[],
      ${column('carryAfterUnits')}::numeric[], ${column('capitalAfterUnits')}::numeric[])
      AS n (member_id, provider_id, invoice_id, fee, before, after, capital)),
    carried AS (
      UPDATE pool_member m SET carry_units = n.after FROM n
      WHERE m.id = n.member_id AND m.carry_units <> n.after)
    UPDATE harvest_allocation a SET provider_id = n.provider_id, invoice_id = n.invoice_id, fee_units = n.fee,
      carry_before_units = n.before, carry_after_units = n.after, capital_after_units = n.capital, booked_at = ${at}
    FROM n WHERE a.cycle_id = ${cycleId} AND a.member_id = n.member_id`.execute(tx.sql);
}
