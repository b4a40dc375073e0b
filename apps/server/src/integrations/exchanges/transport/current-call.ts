import { AsyncLocalStorage } from 'node:async_hooks';

export interface VenueAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** What happened on the wire during one call through ccxt, which keeps only the last answer of an instance. */
export interface CallRecord {
  /** Requests that were written, a repeated one included. */
  sent: number;
  answer: VenueAnswer | null;
}

/** Ties a request that ccxt sends to the call that it was made for, also when one instance has several under way. */
export const currentCall = new AsyncLocalStorage<CallRecord>();
