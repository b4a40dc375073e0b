import { addressHoldWords, ownerWordWords } from '../../../lib/payout-words.ts';
import type { HeldLine } from '../payouts-queries.ts';

/** Why a recipient cannot be paid now, or when payment becomes possible. */
export function heldReason({
  reason,
  payableFrom,
  awaitsRelease,
  ownerWord = null,
}: Pick<HeldLine, 'reason' | 'payableFrom' | 'awaitsRelease'> &
  Partial<Pick<HeldLine, 'ownerWord'>>): string {
  if (reason === 'deposit_frozen') return 'Deposit address frozen';
  if (reason === 'not_checked') return 'Not checked against the chain yet';
  if (reason === 'referrer_set') return `Referrer: ${addressHoldWords(payableFrom, awaitsRelease)}`;
  const hold = addressHoldWords(payableFrom, awaitsRelease);
  return ownerWord ? `${ownerWordWords(ownerWord)}. ${hold}` : hold;
}
