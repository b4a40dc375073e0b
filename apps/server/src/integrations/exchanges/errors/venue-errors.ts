import type { ExchangeProblem } from '@copydesk/domain/trading';
import type { VenueAnswer } from '../transport/current-call.ts';

/** How one venue reports errors. */
export interface VenueErrors {
  /** The code in an answer's parsed body; null when it has none. */
  codeOf(body: unknown): string | null;
  codes: Record<string, ExchangeProblem>;
  /** Statuses with a meaning specific to this venue. */
  statuses?: Record<number, ExchangeProblem>;
  /** How long to wait after `rate_limited`, in ms. */
  retryAfterMs(answer: VenueAnswer, nowMs: number): number;
  /** Whether a reached limit is that of the account alone, so that other accounts may go on. */
  isAccountLimit(answer: VenueAnswer, code: string | null): boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The code under a name in the body, as text. */
export function codeUnder(name: string): (body: unknown) => string | null {
  return (body) => {
    const code = isRecord(body) ? body[name] : undefined;
    return typeof code === 'string' || typeof code === 'number' ? String(code) : null;
  };
}
