import { type ApproverRefusal, decideApprover, type Vouched } from '@copydesk/domain/access';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { PayoutRules } from '../../settings/payout-rules.ts';
import { readOtherConfirmed, readVouching, type VouchedUser } from './vouching.views.ts';

export interface ApproverRules {
  rules: Pick<PayoutRules, 'approverMinAgeMs'>;
  now: () => Date;
}

export interface ApprovalRefusal {
  code: ApproverRefusal;
  message: string;
}

/**
 * Throws unless the caller may approve an order of this person.
 * @throws Refusal the refusals of `decideApprover`
 */
export async function requireApprover(tx: WriteTx, rules: ApproverRules, requesterId: string): Promise<void> {
  const refusalOf = await readApprovers(tx, rules, tx.actor.id, [requesterId]);
  const refusal = refusalOf(requesterId);
  if (refusal) throw new Refusal(refusal.code, { message: refusal.message });
}

/**
 * Refuses requests of a disabled or demoted account, which may have been hijacked. Requests of programs
 * remain valid.
 * @throws Refusal `requester_inactive`
 */
export async function requireActiveRequester(tx: Tx, requesterId: string): Promise<void> {
  const requester = (await readVouching(tx, [requesterId])).get(requesterId);
  if (requester && requester.superSince === null) throw new Refusal('requester_inactive');
}

/** The super admins who may approve what this person orders now. */
export async function listPossibleApprovers(
  tx: Tx,
  { rules: { approverMinAgeMs: minAgeMs }, now }: ApproverRules,
  requesterId: string,
): Promise<VouchedUser[]> {
  const others = await readOtherConfirmed(tx, requesterId);
  const known = await readVouching(tx, [requesterId, ...others.map(({ id }) => id)]);
  const requester = known.get(requesterId) ?? unknown(requesterId);
  return others.flatMap(({ id, superSince }) => {
    const approver = known.get(id);
    const isAllowed =
      approver && decideApprover({ approver, requester, superSince, minAgeMs, at: now() }) === null;
    return isAllowed ? [approver] : [];
  });
}

/**
 * Reads the caller and the requesters. The result maps a requester to the reason why the caller may not approve that
 * person's orders; null: the caller may.
 */
export async function readApprovers(
  tx: Tx,
  { rules: { approverMinAgeMs: minAgeMs }, now }: ApproverRules,
  callerId: string,
  requesterIds: readonly string[],
): Promise<(requesterId: string) => ApprovalRefusal | null> {
  if (requesterIds.length === 0) return () => null;
  const known = await readVouching(tx, [callerId, ...requesterIds]);
  const approver = known.get(callerId) ?? { ...unknown(callerId), superSince: null };
  return (requesterId) => {
    const code = decideApprover({
      approver,
      requester: known.get(requesterId) ?? unknown(requesterId),
      superSince: approver.superSince,
      minAgeMs,
      at: now(),
    });
    return code && { code, message: messageOf(code, approver.superSince, minAgeMs) };
  };
}

const unknown = (id: string): Vouched => ({ id, isConfirmed: false, sponsorIds: [] });

function messageOf(code: ApproverRefusal, superSince: Date | null, minAgeMs: number): string {
  if (code !== 'approver_too_new' || superSince === null) return new Refusal(code).message;
  const from = new Date(superSince.getTime() + minAgeMs).toISOString().slice(0, 16).replace('T', ' ');
  return `You became a super admin too recently. You can approve this from ${from} UTC on; another super admin can approve it before.`;
}
