import type { CallParsed } from '@copydesk/contract';
import { findExceededSplits, largestCommunityPercentage } from '@copydesk/domain/invoices';
import { payableAddress } from '../../../core/chain/payable-address.ts';
import { requireSeen } from '../../../platform/audit/seen-version.ts';
import { violatedUnique } from '../../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { requirePlainTexts } from '../../../platform/http/plain-texts.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from '../communities.store.ts';
import { findSplitTerms } from '../communities.views.ts';

type SettingChanges = CallParsed<'PATCH /api/communities/{id}'>['body'];

const ADDRESSES = ['referrer_wallet_address', 'external_wallet_address'] as const;
/** Numbers on the wire, decimal strings from here on. */
const FIGURES = ['split_percentage', 'minimum_balance'] as const;
const TEXTS = ['name', 'owner_name', 'owner_telegram_id', 'owner_language'] as const;

/** @throws Refusal `community_name_taken` */
export async function refusingTakenName(written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (violatedUnique(error) === 'community_name_key') throw new Refusal('community_name_taken');
    throw error;
  }
}

/**
 * Applies the differences and writes one audit entry for them. Setting a value again changes nothing.
 * @throws Refusal `not_found`, `changed_meanwhile`, `text_refused`, `split_exceeds_invoice`, `community_name_taken`
 */
export async function changeSettings(
  tx: WriteTx,
  id: string,
  { version: seen, ...wanted }: SettingChanges,
): Promise<void> {
  const found = await store.findCommunityForUpdate(tx, id);
  if (!found) throw new Refusal('not_found');
  const { version, ...current } = found;
  const target = { kind: 'community', id };
  await requireSeen(tx, {
    target,
    actions: ['community.settings_changed'],
    seen,
    version,
    present: current,
    wanted,
  });
  const fields: Partial<store.LockedCommunity> = {};
  for (const name of FIGURES) {
    if (wanted[name] !== undefined) fields[name] = String(wanted[name]);
  }
  for (const name of TEXTS) {
    const given = wanted[name];
    if (given !== undefined) Object.assign(fields, { [name]: given });
  }
  for (const name of ADDRESSES) {
    const typed = wanted[name];
    if (typed !== undefined) fields[name] = typed ? await payableAddress(tx, name, typed) : null;
  }

  const names = [...FIGURES, ...TEXTS, ...ADDRESSES].filter(
    (name) => fields[name] !== undefined && fields[name] !== current[name],
  );
  if (names.length === 0) return;
  if (names.includes('name')) requirePlainTexts({ name: wanted.name });
  if (names.includes('owner_name')) requirePlainTexts({ owner_name: wanted.owner_name });
  if (names.includes('split_percentage') || names.includes('referrer_wallet_address'))
    await refuseExceededSplit(tx, { ...current, ...fields });
  const pick = (from: Partial<store.LockedCommunity>) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  await refusingTakenName(store.updateCommunity(tx, id, pick(fields)));
  tx.audit({
    action: 'community.settings_changed',
    target,
    before: pick(current),
    after: pick(fields),
  });
}

/** For every provider that the traders may be invoiced for, the platform's part must be zero or more. */
async function refuseExceededSplit(tx: WriteTx, community: store.LockedCommunity): Promise<void> {
  await store.holdProviders(tx, community.id);
  const terms = await findSplitTerms(tx, community.id);
  const hasCommunityReferrer = community.referrer_wallet_address !== null;
  const exceeded = findExceededSplits(
    { communityPercentage: community.split_percentage, hasCommunityReferrer },
    (terms?.providers ?? []).map((provider) => ({
      name: provider.display_name,
      providerShare: String(provider.payment_split_percentage),
    })),
  );
  if (exceeded.length === 0) return;
  const limits = exceeded.map(
    ({ name, providerShare }) =>
      `at most ${largestCommunityPercentage(providerShare, hasCommunityReferrer)}% with ${name}`,
  );
  const besides = hasCommunityReferrer ? ', beside the 1% of the referrer' : '';
  throw new Refusal('split_exceeds_invoice', {
    message: `A split of ${community.split_percentage}% would give away more than the invoice: ${limits.join(', ')}${besides}.`,
  });
}
