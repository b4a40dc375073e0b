import { type Insertable, sql, type Updateable } from 'kysely';
import { seenVersion } from '../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import type { Community } from '../../platform/db/schema.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

/** The editable settings; figures as decimal strings without trailing zeros. */
export interface LockedCommunity {
  id: string;
  name: string;
  is_archived: boolean;
  split_percentage: string;
  minimum_balance: string;
  referrer_wallet_address: string | null;
  external_wallet_address: string | null;
  owner_name: string | null;
  owner_telegram_id: string | null;
  owner_language: string | null;
}

/** The version of the settings of a community `c`. */
export const communityVersion = seenVersion<'PATCH /api/communities/{id}'>({
  name: sql`c.name`,
  split_percentage: sql`trim_scale(c.split_percentage)`,
  minimum_balance: sql`trim_scale(c.minimum_balance)`,
  referrer_wallet_address: sql`c.referrer_wallet_address`,
  external_wallet_address: sql`c.external_wallet_address`,
  owner_name: sql`c.owner_name`,
  owner_telegram_id: sql`c.owner_telegram_id`,
  owner_language: sql`c.owner_language`,
});

/**
 * A community, locked until the transaction ends; null when missing or out of scope. The lock also excludes
 * transactions that add a trader.
 */
export async function findCommunityForUpdate(
  tx: WriteTx,
  id: string,
): Promise<(LockedCommunity & { version: string }) | null> {
  const { rows } = await sql<LockedCommunity & { version: string }>`
    SELECT c.id, c.name, c.is_archived, trim_scale(c.split_percentage)::text AS split_percentage,
      trim_scale(c.minimum_balance)::text AS minimum_balance, c.referrer_wallet_address, c.external_wallet_address,
      c.owner_name, c.owner_telegram_id::text AS owner_telegram_id, c.owner_language,
      ${communityVersion} AS version
    FROM community c WHERE c.id = ${id} AND ${communityInScope(tx, 'c.id')} FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function insertCommunity(
  tx: WriteTx,
  community: Insertable<Community> & { id: string },
): Promise<void> {
  await tx.sql.insertInto('community').values(community).execute();
}

export async function updateCommunity(
  tx: WriteTx,
  id: string,
  changes: Updateable<Community>,
): Promise<void> {
  await tx.sql
    .updateTable('community')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(communityInScope(tx, 'community.id'))
    .execute();
}

export async function deleteCommunity(tx: WriteTx, id: string): Promise<void> {
  await tx.sql
    .deleteFrom('community')
    .where('id', '=', id)
    .where(communityInScope(tx, 'community.id'))
    .execute();
}

/** Locks the shares of the linked providers until the transaction ends. */
export async function holdProviders(tx: WriteTx, communityId: string): Promise<void> {
  await sql`SELECT p.id FROM provider p JOIN community_provider l ON l.provider_id = p.id
    WHERE l.community_id = ${communityId} AND l.removed_at IS NULL AND ${providerInScope(tx, 'p.id')} ORDER BY p.id FOR SHARE OF p`.execute(
    tx.sql,
  );
}
