import type { RaisedBreaker } from '@copydesk/domain/pools';
import { sql } from 'kysely';
import { seenVersion } from '../../platform/audit/seen-version.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { communityInScope } from '../../platform/db/scope-filter.ts';

/** The constraint that keeps an exchange account, and with it its keys, with one holder. */
export const ONE_HOLDER = 'account_holder_alone';

/** The settings of a pool as their columns have them. */
export interface PoolSettings {
  minimum_deposit_units: string;
  fee_basis: string;
  is_active: boolean;
  has_bot: boolean;
  max_drawdown_percentage: string | null;
}

/** A pool, locked until the transaction ends. */
interface LockedPool extends PoolSettings {
  community_id: string;
  isApproved: boolean;
  breakerRaises: readonly RaisedBreaker[];
  version: string;
}

const latestRaise = sql`jsonb_build_array(jsonb_build_object('by', p.breaker_raised_by,
  'from', trim_scale(p.breaker_raised_from)::text))`;
/** The raises of a pool `p`, that of the version before included: it keeps one, in two columns. */
export const breakerRaises = sql`p.breaker_raises || CASE
  WHEN p.breaker_raised_by IS NULL OR p.breaker_raises @> ${latestRaise} THEN '[]' ELSE ${latestRaise} END`;

/** The version of the settings of a pool `p`. */
export const poolVersion = seenVersion<'PUT /api/pooled-accounts/{id}'>({
  minimum_deposit: sql`p.minimum_deposit_units`,
  fee_basis: sql`p.fee_basis`,
  is_active: sql`p.is_active`,
  has_bot: sql`p.has_bot`,
  max_drawdown_percentage: sql`trim_scale(p.max_drawdown_percentage)`,
});

export async function findSettingsForUpdate(tx: WriteTx, id: string): Promise<LockedPool | null> {
  const { rows } = await sql<LockedPool>`
    SELECT p.community_id, p.is_approved AS "isApproved", ${breakerRaises} AS "breakerRaises", ${poolVersion} AS version, p.minimum_deposit_units::text AS minimum_deposit_units, p.fee_basis, p.is_active,
      p.has_bot, trim_scale(p.max_drawdown_percentage)::text AS max_drawdown_percentage
    FROM pooled_account p WHERE p.id = ${id} AND ${communityInScope(tx, 'p.community_id')} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

export async function updateSettings(
  tx: WriteTx,
  id: string,
  settings: PoolSettings & { breakerRaises: readonly RaisedBreaker[] },
): Promise<void> {
  const latest = settings.breakerRaises.at(-1);
  await sql`UPDATE pooled_account SET minimum_deposit_units = ${settings.minimum_deposit_units},
    fee_basis = ${settings.fee_basis}, is_active = ${settings.is_active}, has_bot = ${settings.has_bot},
    max_drawdown_percentage = ${settings.max_drawdown_percentage},
    breaker_raises = ${JSON.stringify(settings.breakerRaises)}::jsonb, breaker_raised_by = ${latest?.by ?? null},
    breaker_raised_from = ${latest?.from ?? null}, updated_at = now()
    WHERE id = ${id}`.execute(tx.sql);
}

/** Whether a community may get a pool. */
export async function findPoolless(
  tx: Tx,
  communityId: string,
): Promise<{ isArchived: boolean; hasPool: boolean } | null> {
  const { rows } = await sql<{ isArchived: boolean; hasPool: boolean }>`
    SELECT c.is_archived AS "isArchived",
      EXISTS (SELECT FROM pooled_account p WHERE p.community_id = c.id) AS "hasPool"
    FROM community c WHERE c.id = ${communityId} AND ${communityInScope(tx, 'c.id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * Inserts a pool, inactive and not approved, with its key and its first cycle, in which it trades. Account, address and
 * key are those that a worker's answer is about.
 * @returns its id
 */
export async function insertPool(
  tx: WriteTx,
  requestId: string,
  settings: { minimumDepositUnits: string; feeBasis: string; hasBot: boolean },
): Promise<string> {
  const { minimumDepositUnits, feeBasis, hasBot } = settings;
  const { rows } = await sql<{ id: string }>`
    SELECT app.connect_pool(${requestId}, ${minimumDepositUnits}, ${feeBasis}, ${hasBot}) AS id`.execute(
    tx.sql,
  );
  return (rows[0] as { id: string }).id;
}

/** What another person approves when a pool is connected. */
export interface Connection {
  poolId: string;
  communityName: string;
  uid: string | null;
  /** The deposit address as the exchange gave it. */
  addressRead: string | null;
  minimumUnits: bigint;
  feeBasis: string;
  hasBot: boolean;
}

/** @throws Error when there is no such pool */
export async function findConnection(tx: Tx, poolId: string): Promise<Connection> {
  const { rows } = await sql<Omit<Connection, 'minimumUnits'> & { minimum: string }>`
    SELECT p.id AS "poolId", c.name AS "communityName", p.bybit_uid AS uid, p.bybit_address_read AS "addressRead",
      p.minimum_deposit_units::text AS minimum, p.fee_basis AS "feeBasis", p.has_bot AS "hasBot"
    FROM pooled_account p JOIN community c ON c.id = p.community_id
    WHERE p.id = ${poolId} AND ${communityInScope(tx, 'p.community_id')}`.execute(tx.sql);
  const [row] = rows;
  if (!row) throw new Error(`there is no pool ${poolId}`);
  const { minimum, ...connection } = row;
  return { ...connection, minimumUnits: BigInt(minimum) };
}

/** It takes part from now on, as an approved order says. @throws Error when the database refuses */
export async function approvePool(tx: WriteTx, orderId: string): Promise<void> {
  const { rows } = await sql<{ is_approved: boolean }>`
    SELECT app.approve_pool(${orderId}) AS is_approved`.execute(tx.sql);
  if (!rows[0]?.is_approved) throw new Error(`the order ${orderId} approves no pool`);
}

/** Removes a pool whose connection was declined. */
export async function dropUnapproved(tx: WriteTx, poolId: string): Promise<void> {
  await sql`SELECT app.drop_unapproved_pool(${poolId})`.execute(tx.sql);
}
