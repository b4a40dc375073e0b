import type { PayoutDetail } from '../history-queries.ts';

/** The actions of super admins on a payout that makes no progress. */
export type PayoutAct = 'retry' | 'resend' | 'cancel';

/** The actions available for a payout now. For the same address that is a retry, where allowed. */
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
