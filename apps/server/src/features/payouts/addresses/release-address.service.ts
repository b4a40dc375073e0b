import { type ApproverRules, requireApprover } from '../../../core/transfers/orders/approvers.views.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { auditRelease, findChangeForUpdate, recordReleased } from './payout-addresses.store.ts';

/**
 * Puts a changed payout address, or who referred a trader, into the address book. Four eyes: the person who changed it may not release it, nor may an
 * account which that person made.
 * @throws Refusal `not_found` when the address has changed since, `own_release`, `address_is_token`, the refusals of `decideApprover`
 */
export async function releaseAddress(
  tx: WriteTx,
  rules: ApproverRules,
  id: string,
): Promise<{ id: string; address: string | null }> {
  const change = await findChangeForUpdate(tx, id);
  if (!change) throw new Refusal('not_found');
  if (change.changedById === tx.actor.id) throw new Refusal('own_release');
  await requireApprover(tx, rules, change.changedById);
  if (change.isToken) throw new Refusal('address_is_token');
  if (!change.isReleased) {
    await recordReleased(tx, id);
    auditRelease(tx, change);
  }
  return { id, address: change.ownerKind === 'trader_referrer' ? null : change.address };
}
