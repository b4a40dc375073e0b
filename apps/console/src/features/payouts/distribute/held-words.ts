import { momentWords } from '../../../lib/read-time.ts';
import type { HeldLine } from '../payouts-queries.ts';

/** Why a recipient cannot be paid now, or when payment becomes possible. */
export function heldReason({
  reason,
  payableFrom,
  changeId,
  canRelease,
}: Pick<HeldLine, 'reason' | 'payableFrom' | 'changeId' | 'canRelease'>): string {
  if (reason === 'deposit_frozen') return 'Deposit address frozen';
  if (reason === 'not_checked') return 'Not checked against the chain yet';
  const from = payableFrom === null ? 'Address changed' : `Payable from ${momentWords(payableFrom)}`;
  return changeId !== null && !canRelease ? `${from}. Another super admin can release it earlier.` : from;
}
