import { addressHoldWords } from '../../../lib/payout-words.ts';
import type { HeldLine } from '../payouts-queries.ts';

/** Why a recipient cannot be paid now, or when payment becomes possible. */
export function heldReason({
  reason,
  payableFrom,
  awaitsRelease,
}: Pick<HeldLine, 'reason' | 'payableFrom' | 'awaitsRelease'>): string {
  if (reason === 'deposit_frozen') return 'Deposit address frozen';
  if (reason === 'not_checked') return 'Not checked against the chain yet';
  if (reason === 'referrer_set') return `Referrer: ${addressHoldWords(payableFrom, awaitsRelease)}`;
  return addressHoldWords(payableFrom, awaitsRelease);
}
