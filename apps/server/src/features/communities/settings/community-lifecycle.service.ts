import { unitsToDecimal } from '@copydesk/domain/money';
import { requireNothingOnItsWayTo } from '../../../core/chain/on-its-way.views.ts';
import { violatesForeignKey } from '../../../platform/db/connection/connection.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { findHoldings } from '../../pools/pool-capital.views.ts';
import * as store from '../communities.store.ts';
import * as views from '../community-state.views.ts';

/**
 * Archives a community without AUM, money in its pool, open invoices or pending shares. Credit of its traders
 * remains theirs, and the caller must confirm it. An archived community cannot be changed.
 * @param options.isWithCredit the caller knows of the credit
 * @throws Refusal `not_found`, `community_has_aum`, `community_pool_open`, `community_has_open_invoices`,
 * `community_has_pending_shares`, `payment_on_its_way`, `community_has_credit`
 */
export async function archiveCommunity(
  tx: WriteTx,
  id: string,
  { isWithCredit, at }: { isWithCredit: boolean; at: Date },
): Promise<void> {
  const community = await store.findCommunityForUpdate(tx, id);
  if (!community) throw new Refusal('not_found');
  if (community.is_archived) return;
  const pool = await findHoldings(tx, id);
  if (pool.hasMoney || (await views.hasAum(tx, id))) throw new Refusal('community_has_aum');
  if (pool.isCycleOpen) throw new Refusal('community_pool_open');
  const open = await views.findOpenInvoices(tx, id);
  if (open.count > 0)
    throw new Refusal('community_has_open_invoices', {
      message: `Cannot archive a community with open invoices: ${sumOf(open, 'invoice')}. Have them paid, or settle or archive them first.`,
      details: open.details,
    });
  if (await views.hasUnpaidShares(tx, id)) throw new Refusal('community_has_pending_shares');
  await requireNothingOnItsWayTo(tx, id);
  const credit = await views.findCredit(tx, id);
  if (credit.count > 0 && !isWithCredit)
    throw new Refusal('community_has_credit', {
      message: `Traders of this community have credit: ${sumOf(credit, 'trader')}. Turn it into tips or send it back first, or archive the community with it.`,
      details: credit.details,
    });
  await store.updateCommunity(tx, id, { is_archived: true, archived_at: at });
  tx.audit({
    action: 'community.archived',
    target: { kind: 'community', id },
    before: { is_archived: false },
    after: {
      is_archived: true,
      ...(credit.count > 0 && { credit_units: credit.units.toString(), traders_with_credit: credit.count }),
    },
  });
}

const sumOf = ({ count, units }: views.OpenAtCommunity, of: 'invoice' | 'trader') =>
  `${unitsToDecimal(units)} USDT of ${count} ${of}${count === 1 ? '' : 's'}`;

/**
 * Restores an archived community with all its data.
 * @throws Refusal `not_found`, `community_not_archived`
 */
export async function restoreCommunity(tx: WriteTx, id: string): Promise<void> {
  const community = await store.findCommunityForUpdate(tx, id);
  if (!community) throw new Refusal('not_found');
  if (!community.is_archived) throw new Refusal('community_not_archived');
  await store.updateCommunity(tx, id, { is_archived: false, archived_at: null });
  tx.audit({
    action: 'community.restored',
    target: { kind: 'community', id },
    before: { is_archived: true },
    after: { is_archived: false },
  });
}

/** Deletes a community that never had traders or money. */
export async function deleteCommunity(tx: WriteTx, id: string): Promise<void> {
  const community = await store.findCommunityForUpdate(tx, id);
  if (!community) throw new Refusal('not_found');
  if (await views.hasTraders(tx, id)) throw new Refusal('community_has_traders');
  const details = await views.listReferences(tx, id);
  if (details.length > 0) throw refused(details);
  try {
    await store.deleteCommunity(tx, id);
  } catch (error) {
    if (violatesForeignKey(error)) throw refused([{ path: 'records', message: 'other records refer to it' }]);
    throw error;
  }
  tx.audit({ action: 'community.deleted', target: { kind: 'community', id }, before: { ...community } });
}

function refused(details: { path: string; message: string }[]): Refusal {
  const reasons = details.map(({ message }) => message).join(', ');
  return new Refusal('delete_community_failed', {
    message: `Failed to delete community: ${reasons}`,
    details,
  });
}
