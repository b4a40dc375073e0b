import type { CallParsed } from '@copydesk/contract';
import { findExceededSplits, largestCommunityPercentage } from '@copydesk/domain/invoices';
import { shownPercentage } from '@copydesk/domain/money';
import { requireSeen } from '../../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { requirePlainTexts } from '../../../platform/http/plain-texts.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findCommunityForUpdate, type LockedCommunity } from '../communities.store.ts';
import * as store from './community-providers.store.ts';
import { hasHistory, listUses } from './community-providers.views.ts';

type LinkChanges = CallParsed<'PUT /api/communities/{id}/providers/{providerId}'>['body'];

/**
 * Links a provider to a community. The lock on the community excludes transactions that add traders, accounts
 * or links.
 * @throws Refusal `not_found`, `text_refused`, `community_archived`, `provider_inactive`,
 *   `provider_already_linked`,
 * `split_exceeds_invoice`
 */
export async function linkProvider(
  tx: WriteTx,
  communityId: string,
  { providerId, name }: { providerId: string; name: string | null },
): Promise<void> {
  requirePlainTexts({ custom_display_name: name });
  const community = await requireCommunity(tx, communityId);
  if (community.is_archived)
    throw new Refusal('community_archived', {
      message: 'This community is archived: no provider can be linked to it',
    });
  const link = await store.findLink(tx, communityId, providerId);
  if (link && !link.is_removed) throw new Refusal('provider_already_linked');
  const provider = await store.holdProvider(tx, providerId);
  if (!provider) throw new Refusal('not_found', { message: 'Not found: no such provider' });
  if (!provider.is_active) throw new Refusal('provider_inactive');
  refuseExceededSplit(community, provider);
  await store.saveLink(tx, { communityId, providerId, name });
  tx.audit({
    action: 'community.provider_linked',
    target: { kind: 'community', id: communityId },
    after: { provider_id: providerId, provider: provider.display_name, custom_display_name: name },
  });
}

/**
 * Applies the differences and writes one audit entry for them. Setting a value again changes nothing.
 * @throws Refusal `not_found`, `changed_meanwhile`, `text_refused`, `provider_inactive`
 */
export async function changeLink(
  tx: WriteTx,
  communityId: string,
  providerId: string,
  { version: seen, ...wanted }: LinkChanges,
): Promise<void> {
  await requireCommunity(tx, communityId);
  const link = await requireLink(tx, communityId, providerId);
  const target = { kind: 'community', id: communityId };
  await requireSeen(tx, {
    target,
    actions: ['community.provider_changed'],
    seen,
    version: link.version,
    present: link,
    wanted,
  });
  const provider = await store.holdProvider(tx, providerId);
  if (wanted.is_active && !link.is_active && !provider?.is_active) throw new Refusal('provider_inactive');
  const names = (['custom_display_name', 'is_active'] as const).filter(
    (name) => wanted[name] !== undefined && wanted[name] !== link[name],
  );
  if (names.length === 0) return;
  if (names.includes('custom_display_name'))
    requirePlainTexts({ custom_display_name: wanted.custom_display_name });
  const pick = (from: LinkChanges) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  const changes = pick(wanted);
  await store.updateLink(tx, { communityId, providerId }, changes);
  const named = { provider_id: providerId, provider: provider?.display_name ?? null };
  tx.audit({
    action: 'community.provider_changed',
    target,
    before: { ...named, ...pick(link) },
    after: { ...named, ...changes },
  });
}

/**
 * Removes a provider that nothing in the community uses. When invoices name both, the link stays as removed: the staff
 * of the provider read its history by it.
 * @throws Refusal `not_found`, `provider_in_use`
 */
export async function unlinkProvider(
  tx: WriteTx,
  communityId: string,
  providerId: string,
  at: Date,
): Promise<void> {
  await requireCommunity(tx, communityId);
  const link = await requireLink(tx, communityId, providerId);
  const uses = await listUses(tx, communityId, providerId);
  if (uses.length > 0)
    throw new Refusal('provider_in_use', {
      message: `This provider is still in use in this community: ${uses.map(({ message }) => lowerFirst(message)).join(', ')}.`,
      details: uses.map(({ code, message }) => ({ path: code, message })),
    });
  const provider = await store.holdProvider(tx, providerId);
  if (await hasHistory(tx, communityId, providerId))
    await store.updateLink(tx, { communityId, providerId }, { is_active: false, removed_at: at });
  else await store.deleteLink(tx, communityId, providerId);
  tx.audit({
    action: 'community.provider_removed',
    target: { kind: 'community', id: communityId },
    before: {
      provider_id: providerId,
      provider: provider?.display_name ?? null,
      custom_display_name: link.custom_display_name,
    },
  });
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

async function requireCommunity(tx: WriteTx, id: string): Promise<LockedCommunity> {
  const community = await findCommunityForUpdate(tx, id);
  if (!community) throw new Refusal('not_found');
  return community;
}

async function requireLink(tx: WriteTx, communityId: string, providerId: string) {
  const link = await store.findLink(tx, communityId, providerId);
  if (!link || link.is_removed) throw new Refusal('not_found');
  return link;
}

/**
 * Refuses terms under which provider and community together would get more than the invoice.
 * @throws Refusal `split_exceeds_invoice`
 */
function refuseExceededSplit(
  community: Pick<LockedCommunity, 'split_percentage' | 'referrer_wallet_address'>,
  { display_name: name, providerShare }: store.HeldProvider,
): void {
  const hasCommunityReferrer = community.referrer_wallet_address !== null;
  const terms = { communityPercentage: community.split_percentage, hasCommunityReferrer };
  if (findExceededSplits(terms, [{ name, providerShare }]).length === 0) return;
  const besides = hasCommunityReferrer ? ' and the 1% of the referrer' : '';
  throw new Refusal('split_exceeds_invoice', {
    message: `${name} takes ${shownPercentage(providerShare)}% of an invoice. Beside it${besides}, the community can have at most ${largestCommunityPercentage(providerShare, hasCommunityReferrer)}%, and has ${community.split_percentage}%.`,
  });
}
