/**
 * Minimum hours as a super admin before approving a payout: long enough for the others to notice an unknown super
 * admin. The default of APPROVER_MIN_HOURS.
 */
export const APPROVER_MIN_HOURS = 24;

/** A super admin, with the facts for the four-eyes rule. */
export interface Vouched {
  id: string;
  /** An independent super admin, or an operator of the server, has confirmed the account since it became super. */
  isConfirmed: boolean;
  /**
   * Ids of all accounts that ever invited or promoted this one, or removed its second factor. An unconfirmed sponsor may be a puppet of its own
   * sponsors, so theirs count too, and so on up to the first confirmed ones.
   */
  sponsorIds: readonly string[];
}

/**
 * Accounts that may belong to one person: the account and, until an independent super admin has confirmed it, its
 * sponsors. Two accounts that share one of these count as one person in every limit per person.
 */
export function responsibleIds({ id, isConfirmed, sponsorIds }: Vouched): readonly string[] {
  return isConfirmed ? [id] : [id, ...sponsorIds];
}

/**
 * Whether a super admin may end the sessions of another account, remove its second factor, disable or demote
 * it. An unconfirmed super admin may be a puppet, and must not act against those who could stop it. It may
 * act on itself, which is as unconfirmed.
 */
export function mayTakeFrom(actor: Vouched | undefined, target: Vouched | undefined): boolean {
  return actor?.isConfirmed === true || target?.isConfirmed !== true;
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
 * Decides whether a super admin may approve another one's request. The two must be two people, not two accounts of one.
 * The rule is symmetric, because a puppet can request as well as approve. Confirmation by a third person settles the
 * question; a promotion, an invitation, a re-activation or a removed second factor reopens it.
 * @param superSince when the approver became an active super admin; null: it is none
 * @param minAgeMs minimum time since then
 * @returns null when allowed, else the reason
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
  | 'confirmation_not_independent'
  | 'confirmation_needs_sponsor';

/**
 * Decides whether one super admin may confirm another. A candidate without sponsors was made a super admin
 * elsewhere, for instance by the person who runs the hosted identity service, perhaps the confirmer: it needs
 * a sponsor here first.
 * @param isActiveSuper whether the candidate is an active super admin
 * @param otherConfirmed confirmed active super admins besides the candidate. With fewer than two, one person alone
 * could choose the second, so only an operator of the server can confirm.
 * @returns null when allowed, else the reason
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
  if (candidate.sponsorIds.length === 0) return 'confirmation_needs_sponsor';
  if (candidate.sponsorIds.includes(confirmer.id)) return 'confirmation_not_independent';
  return null;
}
