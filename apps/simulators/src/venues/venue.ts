import type { Exchange } from '@copydesk/domain/catalogue';
import type { SimulatedPools } from '../pools/create-pools.ts';
import type { WorldAccounts } from '../world/index.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';

/** A raw request: signatures cover the raw text, so nothing here is decoded or sorted. */
export interface VenueRequest {
  method: string;
  path: string;
  /** The text after the question mark, unchanged. */
  query: string;
  params: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
  /** The body as it came: an uploaded file is no text. */
  bytes?: Buffer;
  /** The socket's address, as IPv4 where possible. */
  ip: string;
}

export interface ReceivedAnswer {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent instead, as plain text. */
  text?: string;
  headers?: Record<string, string>;
}

/** Deliberate refusals, in the venue's own words. */
export const REFUSALS = [
  'rate_limit',
  'server_error',
  'maintenance',
  'wrong_key',
  'ip_refused',
  'clock_skew',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** An account as faults and the log name it. */
export interface VenueAccount {
  id: string;
  /** The venue's id of it. */
  accUid: string;
}

export interface Venue {
  exchange: Exchange;
  /** The request's operation: the path, or on hyperliquid, which has one path, the request's type. */
  operationOf(request: VenueRequest): string;
  /** The account that a request claims, without any proof. */
  identify(request: VenueRequest): VenueAccount | null;
  /** Checks and answers a request; may throw a VenueRefusal. */
  answer(request: VenueRequest): ReceivedAnswer;
  refuse(refusal: Refusal, request: VenueRequest): ReceivedAnswer;
}

/** The dependencies of a venue. */
export interface VenueParts {
  accounts: WorldAccounts;
  /** ms since 1970 */
  now: () => number;
  limiter: RateLimiter;
  /** Accounts of pools, at bybit only. */
  pools?: SimulatedPools | undefined;
}

export type CreateVenue = (parts: VenueParts) => Venue;

/** Ends the handling of a request with an answer of the venue. */
export class VenueRefusal extends Error {
  readonly answer: ReceivedAnswer;

  constructor(answer: ReceivedAnswer) {
    super(`refused with ${answer.status}`);
    this.name = 'VenueRefusal';
    this.answer = answer;
  }
}
