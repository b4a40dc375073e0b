import { randomUUID } from 'node:crypto';
import type { CallParsed } from '@copydesk/contract';
import { payableAddress } from '../../../core/chain/payable-address.ts';
import type { AuditValue } from '../../../platform/audit/audit.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { insertCommunity } from '../communities.store.ts';
import { linkProvider } from '../providers/community-providers.service.ts';
import { refusingTakenName } from './community-settings.service.ts';

type NewCommunity = CallParsed<'POST /api/communities'>['body'];

const ADDRESSES = ['referrer_wallet_address', 'external_wallet_address'] as const;

/**
 * Creates a community and links its providers. The worker gives it a wallet.
 * @returns its id
 * @throws Refusal `community_name_taken`, `not_found`, `provider_inactive`, `split_exceeds_invoice`,
 * `validation_failed` for an address that cannot be paid
 */
export async function createCommunity(
  tx: WriteTx,
  { provider_ids: providerIds, ...wanted }: NewCommunity,
): Promise<string> {
  const id = randomUUID();
  const addresses: Partial<Record<(typeof ADDRESSES)[number], string>> = {};
  for (const name of ADDRESSES) {
    const typed = wanted[name];
    if (typed) addresses[name] = await payableAddress(tx, name, typed);
  }
  const settings = {
    ...wanted,
    referrer_wallet_address: addresses.referrer_wallet_address ?? null,
    external_wallet_address: addresses.external_wallet_address ?? null,
    split_percentage: String(wanted.split_percentage),
    commission_rate: String(wanted.commission_rate),
    minimum_balance: String(wanted.minimum_balance),
  };
  await refusingTakenName(insertCommunity(tx, { id, ...settings }));
  tx.audit({ action: 'community.created', target: { kind: 'community', id }, after: settings as AuditValue });
  // Sorted, so that two communities created at once cannot deadlock.
  for (const providerId of [...new Set(providerIds)].sort())
    await linkProvider(tx, id, { providerId, name: null });
  return id;
}
