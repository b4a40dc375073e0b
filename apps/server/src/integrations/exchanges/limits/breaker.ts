import { GatewayError } from '../gateway.ts';

export type BreakerState = 'closed' | 'open' | 'half_open' | 'paused';

export interface Breaker {
  /** Throws while nothing may be sent; otherwise returns whether this request is the probe. */
  enter(): { isProbe: boolean };
  /** The error that `enter` would throw now, or null. */
  refusal(): GatewayError | null;
  succeeded(): void;
  /** No answer came, or one that means that the venue is down. */
  failed(): void;
  /** A request ended without information about the venue. */
  left(isProbe: boolean): void;
  /** The venue asked us to stop for this long. */
  pause(ms: number): void;
  state(): BreakerState;
}

/** After this many unanswered requests in a row, of any accounts, the venue counts as down. */
const FAILURES_TO_OPEN = 5;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 120_000;

/**
 * Stops requests to a venue that does not answer, instead of letting every caller wait for its own timeout. After a
 * pause, which doubles with every failed probe, one request tries; the others fail at once until it is answered.
 */
export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let restMs = 0;
  let openUntil: number | null = null;
  let isProbing = false;
  let pausedUntil = 0;

  function refusal(): GatewayError | null {
    const nowMs = now();
    if (nowMs < pausedUntil) return new GatewayError('rate_limited', { retryAfterMs: pausedUntil - nowMs });
    if (openUntil === null) return null;
    if (nowMs < openUntil) return new GatewayError('venue_unavailable', { retryAfterMs: openUntil - nowMs });
    return isProbing ? new GatewayError('venue_unavailable', { retryAfterMs: FIRST_REST_MS }) : null;
  }

  return {
    refusal,
    enter() {
      const error = refusal();
      if (error) throw error;
      const isProbe = openUntil !== null;
      if (isProbe) isProbing = true;
      return { isProbe };
    },
    succeeded() {
      failures = 0;
      restMs = 0;
      openUntil = null;
      isProbing = false;
    },
    failed() {
      failures += 1;
      isProbing = false;
      if (failures < FAILURES_TO_OPEN) return;
      // Requests under way when it opened fail one after the other: they do not count as probes.
      if (openUntil !== null && now() < openUntil) return;
      restMs = Math.min(restMs === 0 ? FIRST_REST_MS : restMs * 2, LONGEST_REST_MS);
      openUntil = now() + restMs;
    },
    left(isProbe) {
      if (isProbe) isProbing = false;
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
    state() {
      if (now() < pausedUntil) return 'paused';
      if (openUntil === null) return 'closed';
      return now() < openUntil ? 'open' : 'half_open';
    },
  };
}
