/**
 * How long somebody must have been a super admin before approving a payout: long enough for the others to notice a
 * super admin that they do not know. The default of APPROVER_MIN_HOURS.
 */
export const APPROVER_MIN_HOURS = 24;

/** A super admin as the rule of four eyes sees it. */
export interface Vouched {
  id: string;
  /** An independent super admin, or an operator of the server, has confirmed the account since it became super. */
  isConfirmed: boolean;
  /**
   * Ids of all who ever invited or promoted the account. An unconfirmed sponsor may be the creature of its own
   * sponsors, so theirs count too, and so on up to the first confirmed ones.
   */
  sponsorIds: readonly string[];
}

/**
 * Accounts behind which one person may be: the account, and as long as no independent super admin has confirmed it, its
 * sponsors. Two accounts that share one of these count as one person wherever a limit is by person.
 */
export function responsibleIds({ id, isConfirmed, sponsorIds }: Vouched): readonly string[] {
  return isConfirmed ? [id] : [id, ...sponsorIds];
}

export const APPROVER_REFUSALS = [
  'own_approval',
  'approver_not_independent',
  'approver_not_confirmed',
  'requester_not_independent',
  'approver_too_new',
] as const;
export type ApproverRefusal = (typeof APPROVER_REFUSALS)[number];

/**
 * Decides whether a super admin may approve what another one asked for. The two must be two people, and not two
 * accounts of one: the rule reads both ways, because a puppet can ask as well as approve. Confirmation by a third
 * person settles the question; a promotion, an invitation or a re-activation raises it again.
 * @param superSince when the approver became a super admin that can sign in; null: it is none
 * @param minAgeMs how long that must have been ago
 * @returns null when allowed, else why not
 */
export function decideApprover({
  approver,
  requester,
  superSince,
  minAgeMs,
  at,
}: {
  approver: Vouched;
  requester: Vouched;
  superSince: Date | null;
  minAgeMs: number;
  at: Date;
}): ApproverRefusal | null {
  if (approver.id === requester.id) return 'own_approval';
  if (!approver.isConfirmed)
    return approver.sponsorIds.includes(requester.id) ? 'approver_not_independent' : 'approver_not_confirmed';
  if (!requester.isConfirmed && requester.sponsorIds.includes(approver.id))
    return 'requester_not_independent';
  if (superSince === null || at.getTime() - superSince.getTime() < minAgeMs) return 'approver_too_new';
  return null;
}

export type ConfirmationRefusal =
  | 'own_confirmation'
  | 'not_a_super_admin'
  | 'confirmer_not_confirmed'
  | 'operator_confirmation_required'
  | 'confirmation_not_independent';

/**
 * Decides whether one super admin may confirm another.
 * @param isActiveSuper whether the candidate is a super admin that can sign in
 * @param otherConfirmed confirmed super admins that can sign in, the candidate left out. With fewer than two, one
 *   person would decide alone who counts as the second: then only an operator of the server can.
 * @returns null when allowed, else why not
 */
export function decideConfirmation({
  confirmer,
  candidate,
  isActiveSuper,
  otherConfirmed,
}: {
  confirmer: Vouched;
  candidate: Vouched;
  isActiveSuper: boolean;
  otherConfirmed: number;
}): ConfirmationRefusal | null {
  if (confirmer.id === candidate.id) return 'own_confirmation';
  if (!isActiveSuper) return 'not_a_super_admin';
  if (!confirmer.isConfirmed) return 'confirmer_not_confirmed';
  if (otherConfirmed < 2) return 'operator_confirmation_required';
  if (candidate.sponsorIds.includes(confirmer.id)) return 'confirmation_not_independent';
  return null;
}
