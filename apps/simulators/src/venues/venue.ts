import type { Exchange } from '@copydesk/domain';
import type { WorldAccount, WorldAccounts } from '../world/index.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';

/** A request as it came over the wire: signatures cover the raw text, so nothing here is decoded or sorted. */
export interface VenueRequest {
  method: string;
  path: string;
  /** What follows the question mark, as it was sent. */
  query: string;
  params: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
  /** The socket's address, IPv4 where it is one. */
  ip: string;
}

export interface VenueAnswer {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent instead, as plain text. */
  text?: string;
  headers?: Record<string, string>;
}

/** What goes wrong on purpose, in the venue's own words. */
export const REFUSALS = [
  'rate_limit',
  'server_error',
  'maintenance',
  'wrong_key',
  'ip_refused',
  'clock_skew',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface Venue {
  exchange: Exchange;
  /** What is asked for: the path, and on hyperliquid, where all questions go to one path, the question's type. */
  operationOf(request: VenueRequest): string;
  /** Whose request it says it is; nothing is proven by that. */
  identify(request: VenueRequest): WorldAccount | null;
  /** Checks and answers a request; may throw a VenueRefusal. */
  answer(request: VenueRequest): VenueAnswer;
  refuse(refusal: Refusal, request: VenueRequest): VenueAnswer;
}

/** What a venue is made of. */
export interface VenueParts {
  accounts: WorldAccounts;
  /** ms since 1970 */
  now: () => number;
  limiter: RateLimiter;
}

export type CreateVenue = (parts: VenueParts) => Venue;

/** Ends the handling of a request with an answer of the venue. */
export class VenueRefusal extends Error {
  readonly answer: VenueAnswer;

  constructor(answer: VenueAnswer) {
    super(`refused with ${answer.status}`);
    this.name = 'VenueRefusal';
    this.answer = answer;
  }
}
