import { momentWords } from './read-time.ts';

/** A recipient type as displayed: underscores become spaces. */
export const typeWords = (type: string) => type.replaceAll('_', ' ');

/** A status as displayed. */
export const statusWords = (status: string) => status || 'unknown';

export const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** When a new payout address is paid to. */
export function addressHoldWords(payableFrom: string | null, awaitsRelease: boolean): string {
  const isPast = payableFrom === null || Date.parse(payableFrom) <= Date.now();
  if (!awaitsRelease) return payableFrom === null ? 'Payable' : `Payable from ${momentWords(payableFrom)}`;
  return isPast
    ? 'Waits for another super admin to release it'
    : `Waits for another super admin, and until ${momentWords(payableFrom)}`;
}

/** What the owner of a changed address said of it. */
export function ownerWordWords({ kind, read_at }: { kind: 'confirmed' | 'not_me'; read_at: string }): string {
  return kind === 'confirmed'
    ? `Confirmed by its owner by Telegram, ${momentWords(read_at)}`
    : `The owner said: not me, ${momentWords(read_at)}`;
}
