import { randomInt } from 'node:crypto';

/** Excludes letters and digits that people confuse. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/**
 * A code that traders pass on by word of mouth. There are 31^8 of them, so a clash is one in a billion at a million.
 */
export function createReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
