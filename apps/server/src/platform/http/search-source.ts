import type { Found, SearchKind } from '@copydesk/contract/search';
import type { AnyTx } from '../db/database.ts';

/** One thing that a text names. */
export type FoundRow = Omit<Found, 'kind'>;

/**
 * Finds what a text names, in the scope of the transaction: exact matches first, then those that begin with it.
 * @param text as people type it; see `searched` of the contract
 * @param most how many are wanted
 */
export type FindNamed = (tx: AnyTx, text: string, most: number) => Promise<FoundRow[]>;

/** A kind without a source does not compile. */
export type SearchSources = { readonly [K in SearchKind]: FindNamed };

/** A complete id as typed. */
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/;
export const typedId = (text: string): string | null => {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : null;
};

/** The first digits of an id, as screens show them. @returns the first and last id that begin so */
export function typedIds(text: string): [string, string] | null {
  const start = text.toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{8,32}$/.test(start) ? [start.padEnd(32, '0'), start.padEnd(32, 'f')] : null;
}

/** A whole hash of a transaction. */
export function typedHash(text: string): string | null {
  const hash = text.toLowerCase();
  return /^0x[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** An amount of USDT with its cents, "1,312.50": whole numbers are ids more often. */
export function typedAmount(text: string): string | null {
  const amount = text.replace(/ ?USDT$/i, '').replace(/^\$/, '');
  return /^(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})\.\d{1,18}$/.test(amount) ? amount.replaceAll(',', '') : null;
}
