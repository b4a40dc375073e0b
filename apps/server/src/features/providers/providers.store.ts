import { type Insertable, sql, type Updateable } from 'kysely';
import { seenVersion } from '../../platform/audit/seen-version.ts';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { byName } from '../../platform/db/lists/list-query.ts';
import type { Provider } from '../../platform/db/schema.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

/** The settings of a provider; shares as decimal strings without trailing zeros. */
export interface LockedProvider {
  id: string;
  name: string;
  display_name: string;
  payment_split_percentage: string;
  minimum_commission_rate: string;
  supported_exchanges: string[];
  is_active: boolean;
  invoicing_enabled: boolean;
  telegram_admin_channel_id: string | null;
  payout_address: string | null;
  reveal_super_only: boolean;
}

/** The version of the settings of a provider `p`. */
export const providerVersion = seenVersion<'PUT /api/providers/{id}'>({
  name: sql`p.name`,
  display_name: sql`p.display_name`,
  payment_split_percentage: sql`trim_scale(p.payment_split_percentage)`,
  minimum_commission_rate: sql`trim_scale(p.minimum_commission_rate)`,
  supported_exchanges: sql`p.supported_exchanges`,
  is_active: sql`p.is_active`,
  telegram_admin_channel_id: sql`p.telegram_admin_channel_id`,
  payout_address: sql`p.payout_address`,
  reveal_super_only: sql`p.reveal_super_only`,
});

/** A provider, locked until the transaction ends; null when missing or out of scope. */
export async function findProviderForUpdate(
  tx: WriteTx,
  id: string,
): Promise<(LockedProvider & { version: string }) | null> {
  const { rows } = await sql<LockedProvider & { version: string }>`
    SELECT p.id, p.name, p.display_name, trim_scale(p.payment_split_percentage)::text AS payment_split_percentage,
      trim_scale(p.minimum_commission_rate)::text AS minimum_commission_rate, p.supported_exchanges, p.is_active,
      p.invoicing_enabled, p.telegram_admin_channel_id, p.payout_address, p.reveal_super_only, ${providerVersion} AS version
    FROM provider p WHERE p.id = ${id} AND ${providerInScope(tx, 'p.id')} FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function insertProvider(
  tx: WriteTx,
  provider: Insertable<Provider> & { id: string },
): Promise<void> {
  await tx.sql.insertInto('provider').values(provider).execute();
}

export async function updateProvider(tx: WriteTx, id: string, changes: Updateable<Provider>): Promise<void> {
  await tx.sql
    .updateTable('provider')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(providerInScope(tx, 'provider.id'))
    .execute();
}

/** A community that a provider's traders may be invoiced in, with its terms of the split. */
export interface SplittingCommunity {
  name: string;
  communityPercentage: string;
  hasCommunityReferrer: boolean;
}

/** The communities that are linked to a provider, and those of the traders who selected it. By name. */
export async function listSplittingCommunities(tx: Tx, providerId: string): Promise<SplittingCommunity[]> {
  const { rows } = await sql<SplittingCommunity>`
    SELECT c.name, trim_scale(c.split_percentage)::text AS "communityPercentage",
      c.referrer_wallet_address IS NOT NULL AS "hasCommunityReferrer"
    FROM community c
    WHERE ${communityInScope(tx, 'c.id')} AND (
      EXISTS (SELECT FROM community_provider l
        WHERE l.community_id = c.id AND l.provider_id = ${providerId} AND l.removed_at IS NULL)
      OR EXISTS (SELECT FROM trader t WHERE t.community_id = c.id AND t.selected_provider_id = ${providerId}))
    ORDER BY ${byName('c.name')}, c.id`.execute(tx.sql);
  return rows;
}
