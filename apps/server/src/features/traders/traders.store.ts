import type { Insertable, Updateable } from 'kysely';
import { sql } from 'kysely';
import { lockTelegramId } from '../../core/traders/telegram-id-lock.ts';
import { seenVersion } from '../../platform/audit/seen-version.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import type { Trader } from '../../platform/db/schema.ts';
import { communityInScope, traderInScope } from '../../platform/db/scope-filter.ts';

/** What people change of a trader. @param alias of its table in the statement */
const changedColumns = (alias: 't' | 'trader') => ({
  status: sql.ref(`${alias}.status`),
  reference_number: sql.ref(`${alias}.reference_number`),
  external_wallet_address: sql.ref(`${alias}.external_wallet_address`),
  language: sql.ref(`${alias}.language`),
  name: sql.ref(`${alias}.name`),
  email: sql.ref(`${alias}.email`),
  telegram_username: sql.ref(`${alias}.telegram_username`),
  telegram_user_id: sql.ref(`${alias}.telegram_user_id`),
});

const AUDITED = [
  ...(Object.keys(changedColumns('t')) as (keyof ReturnType<typeof changedColumns>)[]),
  'community_id',
  'selected_provider_id',
  'referred_by_trader_id',
  'referral_code',
] as const;

/** The version of what people change of a trader. @param alias of its table in the statement */
export const traderVersion = (alias: 't' | 'trader') =>
  seenVersion<'PATCH /api/traders/{id}', 'last_updated_by'>(changedColumns(alias));

/** A trader's own fields, locked for a change until the transaction ends; null when missing or out of scope. */
export async function findTraderForUpdate(tx: WriteTx, id: string) {
  const row = await tx.sql
    .selectFrom('trader')
    .select(['id', ...AUDITED])
    .select(traderVersion('trader').as('version'))
    .where('id', '=', id)
    .where(traderInScope(tx, 'trader.id'))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** No `RETURNING`: the creator sees a trader only after the trigger has assigned it to the provider. */
export async function insertTrader(tx: WriteTx, trader: Insertable<Trader> & { id: string }): Promise<void> {
  await tx.sql.insertInto('trader').values(trader).execute();
}

/** @param updatedBy the name on screen; the audit names the caller in any case */
export async function updateTrader(
  tx: WriteTx,
  id: string,
  changes: Updateable<Trader>,
  updatedBy: string = tx.actor.name,
): Promise<void> {
  await tx.sql
    .updateTable('trader')
    .set({ ...changes, updated_at: sql<Date>`now()`, last_updated_by: updatedBy })
    .where('id', '=', id)
    .where(traderInScope(tx, 'trader.id'))
    .execute();
}

/** Whether a trader that this one has referred has an invoice. */
export async function haveReferralsInvoices(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM trader t JOIN invoice i ON i.trader_id = t.id
    WHERE t.referred_by_trader_id = ${id} LIMIT 1`.execute(tx.sql);
  return rows.length > 0;
}

/** Base units of payments that no invoice has taken, where the caller sees payments. */
export async function sumCredit(tx: Tx, id: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`SELECT coalesce(sum(p.open_units), 0)::text AS units
    FROM payment p WHERE p.trader_id = ${id} AND p.open_units > 0`.execute(tx.sql);
  return BigInt(rows[0]?.units ?? 0);
}

export async function deleteTrader(tx: WriteTx, id: string): Promise<void> {
  await tx.sql.deleteFrom('trader').where('id', '=', id).where(traderInScope(tx, 'trader.id')).execute();
}

/**
 * Whether another trader of a community has a Telegram id, in whatever scope. Locks the id until the
 * transaction ends, so that concurrent changes to the same id take turns.
 */
export async function isTelegramIdTaken(
  tx: WriteTx,
  { communityId, telegramId, besides }: { communityId: string; telegramId: string; besides: string | null },
): Promise<boolean> {
  await lockTelegramId(tx, communityId, telegramId);
  const { rows } = await sql<{ taken: boolean }>`
    SELECT app.telegram_id_taken(${communityId}, ${telegramId}, ${besides}) AS taken`.execute(tx.sql);
  return rows[0]?.taken ?? false;
}

/** Whether traders of the community can choose the provider: both are in scope, linked, and the provider is active. */
export async function areLinked(tx: Tx, communityId: string, providerId: string): Promise<boolean> {
  const link = await tx.sql
    .selectFrom('community_provider')
    .innerJoin('provider', 'provider.id', 'community_provider.provider_id')
    .select('provider_id')
    .where('community_id', '=', communityId)
    .where('provider_id', '=', providerId)
    .where('community_provider.is_active', '=', true)
    .where('provider.is_active', '=', true)
    .where(communityInScope(tx, 'community_provider.community_id'))
    .executeTakeFirst();
  return link !== undefined;
}

/**
 * Whether a community is archived. Its row is locked until the transaction ends, so it is not archived or deleted while
 * a trader is added. Null when it is missing or out of scope.
 */
export async function lockCommunity(
  tx: WriteTx,
  communityId: string,
): Promise<{ is_archived: boolean } | null> {
  const row = await tx.sql
    .selectFrom('community')
    .select('is_archived')
    .where('id', '=', communityId)
    .where(communityInScope(tx, 'community.id'))
    .forKeyShare()
    .executeTakeFirst();
  return row ?? null;
}

/** The trader with this referral code; null when there is none in scope. */
export async function findReferrer(tx: Tx, code: string) {
  const row = await tx.sql
    .selectFrom('trader')
    .select(['id', 'community_id', 'referred_by_trader_id'])
    .where('referral_code', '=', code)
    .where(traderInScope(tx, 'trader.id'))
    .executeTakeFirst();
  return row ?? null;
}

/** Whether `ancestorId` is above `traderId` in the chain of referrals, at any distance. */
export async function isReferredBy(tx: Tx, traderId: string, ancestorId: string): Promise<boolean> {
  const { rows } = await sql`
    WITH RECURSIVE above (id) AS (
      SELECT referred_by_trader_id FROM trader WHERE id = ${traderId}
      UNION SELECT t.referred_by_trader_id FROM above JOIN trader t ON t.id = above.id)
    SELECT FROM above WHERE id = ${ancestorId}`.execute(tx.sql);
  return rows.length > 0;
}
