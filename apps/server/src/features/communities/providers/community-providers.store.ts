import { sql } from 'kysely';
import { seenVersion } from '../../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { communityInScope, providerInScope } from '../../../platform/db/scope-filter.ts';

/** A provider as the terms of a link need it. */
export interface HeldProvider {
  display_name: string;
  is_active: boolean;
  /** As a fraction, without trailing zeros. */
  providerShare: string;
}

/** A provider whose share and state stay until the transaction ends; null when missing. */
export async function holdProvider(tx: WriteTx, id: string): Promise<HeldProvider | null> {
  const { rows } = await sql<HeldProvider>`
    SELECT p.display_name, p.is_active, trim_scale(p.payment_split_percentage)::text AS "providerShare"
    FROM provider p WHERE p.id = ${id} AND ${providerInScope(tx, 'p.id')} FOR SHARE`.execute(tx.sql);
  return rows[0] ?? null;
}

/** The version of a link `l`. */
export const linkVersion = seenVersion<'PUT /api/communities/{id}/providers/{providerId}'>({
  custom_display_name: sql`l.custom_display_name`,
  is_active: sql`l.is_active`,
});

interface StoredLink {
  custom_display_name: string | null;
  is_active: boolean;
  is_removed: boolean;
  version: string;
}

/** A link, removed or not; null: there was none. Its community is locked, so the link stays as it is. */
export async function findLink(
  tx: WriteTx,
  communityId: string,
  providerId: string,
): Promise<StoredLink | null> {
  const { rows } = await sql<StoredLink>`
    SELECT l.custom_display_name, l.is_active, l.removed_at IS NOT NULL AS is_removed, ${linkVersion} AS version
    FROM community_provider l
    WHERE l.community_id = ${communityId} AND l.provider_id = ${providerId}
      AND ${communityInScope(tx, 'l.community_id')}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Adds a link, or brings a removed one back. */
export async function saveLink(
  tx: WriteTx,
  link: { communityId: string; providerId: string; name: string | null },
): Promise<void> {
  await sql`
    INSERT INTO community_provider (community_id, provider_id, custom_display_name)
    VALUES (${link.communityId}, ${link.providerId}, ${link.name})
    ON CONFLICT (community_id, provider_id) DO UPDATE SET custom_display_name = excluded.custom_display_name,
      is_active = true, removed_at = NULL, created_at = now()`.execute(tx.sql);
}

export async function updateLink(
  tx: WriteTx,
  { communityId, providerId }: { communityId: string; providerId: string },
  changes: { custom_display_name?: string | null; is_active?: boolean; removed_at?: Date },
): Promise<void> {
  await tx.sql
    .updateTable('community_provider')
    .set(changes)
    .where('community_id', '=', communityId)
    .where('provider_id', '=', providerId)
    .where(communityInScope(tx, 'community_provider.community_id'))
    .execute();
}

export async function deleteLink(tx: WriteTx, communityId: string, providerId: string): Promise<void> {
  await tx.sql
    .deleteFrom('community_provider')
    .where('community_id', '=', communityId)
    .where('provider_id', '=', providerId)
    .where(communityInScope(tx, 'community_provider.community_id'))
    .execute();
}
