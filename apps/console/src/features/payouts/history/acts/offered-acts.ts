import type { PayoutDetail } from '../history-queries.ts';

/** What a super admin does about a payout that does not go on. */
export type PayoutAct = 'retry' | 'resend' | 'cancel';

/** What can be done about a payout now. At the same address a retry does it, where it may be. */
export function offeredActs({
  can_retry,
  can_resend,
  can_cancel,
  current_address,
}: Pick<PayoutDetail, 'can_retry' | 'can_resend' | 'can_cancel' | 'current_address'>): PayoutAct[] {
  const isResendOffered = can_resend && (current_address !== null || !can_retry);
  return [
    ...(can_retry ? (['retry'] as const) : []),
    ...(isResendOffered ? (['resend'] as const) : []),
    ...(can_cancel ? (['cancel'] as const) : []),
  ];
}
