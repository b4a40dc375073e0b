import { AsyncLocalStorage } from 'node:async_hooks';

export interface VenueAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** The traffic of one call through ccxt, which keeps only the last answer of an instance. */
export interface CallRecord {
  /** Requests sent, repeats included. */
  sent: number;
  answer: VenueAnswer | null;
  /** The path that this call may POST to, besides the venue's reads; null: none. */
  posts: string | null;
}

/** Links a request from ccxt to its call, even when one instance has several under way. */
export const currentCall = new AsyncLocalStorage<CallRecord>();
