import { type ApproverRules, requireApprover } from '../../core/people/approvers.views.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import { findChangeForUpdate, noteReleased } from './payout-addresses.store.ts';

/** The audit target of a change. The platform's own recipients are filed under their type. */
const TARGETS = {
  provider: 'provider',
  community: 'community',
  community_referrer: 'community',
  trader: 'trader',
  platform: 'platform_recipient',
} as const;

/**
 * Makes a changed payout address payable at once. Four eyes: the person who changed it may not release it, nor may an
 * account which that person made.
 * @throws ApiError `not_found` when the address has changed since, `own_release`, the refusals of `decideApprover`
 */
export async function releaseAddress(
  tx: WriteTx,
  rules: ApproverRules,
  id: string,
): Promise<{ id: string; address: string | null }> {
  const change = await findChangeForUpdate(tx, id);
  if (!change) throw new ApiError('not_found');
  if (change.changedById === tx.actor.id) throw new ApiError('own_release');
  await requireApprover(tx, rules, change.changedById);
  if (!change.isReleased) {
    await noteReleased(tx, id);
    tx.audit({
      action: 'payout_address.released',
      target: { kind: TARGETS[change.ownerKind], id: change.ownerId },
      after: { owner_kind: change.ownerKind, address: change.address },
    });
  }
  return { id, address: change.address };
}
