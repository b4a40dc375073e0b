import type { PoolMember } from '@copydesk/contract/pools';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from './members.store.ts';
import { findMember } from './members.views.ts';

/**
 * Makes a trader of the community a member of its pool. The worker then assigns a deposit address.
 * @throws Refusal `not_found`, `pool_inactive`, `trader_not_in_community`
 */
export async function joinPool(tx: WriteTx, poolId: string, traderId: string): Promise<PoolMember> {
  const pool = await store.holdPool(tx, poolId);
  if (!pool) throw new Refusal('not_found');
  const communityId = await store.findCommunityOf(tx, traderId);
  if (!communityId) throw new Refusal('not_found', { message: 'Not found: no such trader' });
  if (!pool.isActive) throw new Refusal('pool_inactive');
  if (communityId !== pool.communityId) throw new Refusal('trader_not_in_community');
  const { id, isNew } = await store.insertMember(tx, poolId, traderId);
  if (isNew)
    tx.audit({
      action: 'pool.member_joined',
      target: { kind: 'trader', id: traderId },
      after: { pooled_account_id: poolId, member_id: id },
    });
  return (await findMember(tx, id)) as PoolMember;
}
