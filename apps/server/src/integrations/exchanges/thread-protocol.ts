import type { CountingGateway } from './create-gateway.ts';
import { GatewayError } from './gateway.ts';
import type { VenueNotice } from './notices.ts';
import type { PoolVenue } from './pool-venue.ts';

/** A request to the gateway in the thread. */
export interface ThreadRequest {
  id: number;
  call: ThreadCall;
  args: unknown[];
}

/** A method of the gateway, or of its pools. */
export type ThreadCall =
  | Exclude<keyof CountingGateway, 'forget' | 'close' | 'pools'>
  | `pools.${keyof PoolVenue}`;

/** A command without an answer. */
export interface ThreadOrder {
  forget: string;
}

/** The fields of a GatewayError: an error loses its class between threads. */
type ErrorParts = Pick<GatewayError, 'code' | 'venueCode' | 'retryAfterMs'>;

export type ThreadAnswer = { id: number } & ({ value: unknown } | { error: ErrorParts });

/** A notice about a venue, sent without a request. */
export interface ThreadNews {
  notice: VenueNotice;
}

export function errorParts(error: unknown): ErrorParts {
  const known = error instanceof GatewayError ? error : new GatewayError('bad_response');
  return { code: known.code, venueCode: known.venueCode, retryAfterMs: known.retryAfterMs };
}

export const rebuildError = (parts: ErrorParts): GatewayError => new GatewayError(parts.code, parts);
