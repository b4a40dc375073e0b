import { GatewayError, type Priority } from '../gateway.ts';
import type { Breaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import type { TokenBucket } from './token-bucket.ts';

/** The urgency of a read. It changes when an interactive caller joins a waiting background read. */
export interface Lane {
  priority: Priority;
}

interface Waiting {
  weight: number;
  lane: Lane;
  account: TokenBucket | null;
  expiresAt: number;
  go: () => void;
  fail: (error: GatewayError) => void;
}

export interface RequestQueue {
  /** Resolves when the request may be sent; its weight is spent at that moment. */
  wait(request: { weight: number; lane: Lane; account: TokenBucket | null }): Promise<void>;
  /** Rechecks the queue: a lane became urgent. */
  wake(): void;
  waiting(): number;
}

/**
 * Decides which request goes to a venue next. Interactive requests go before background ones, each in their order. One
 * that waits for its own account's budget does not hold up the others; one that waits for the venue's holds up all
 * behind it, or a heavy request would never get through between light ones.
 */
export function createRequestQueue(options: {
  clock: Clock;
  venue: TokenBucket;
  breaker: Breaker;
  longestWaitMs: number;
}): RequestQueue {
  const { clock, venue, breaker, longestWaitMs } = options;
  const queue = new Set<Waiting>();
  let isPumpDue = false;
  let callOff: (() => void) | null = null;

  const waitOf = (request: Waiting) =>
    Math.max(venue.waitFor(request.weight), request.account?.waitFor(request.weight) ?? 0);

  /** Sends the ready requests of one priority; returns whether the venue's own budget is used up. */
  function sendNext(priority: Priority): boolean {
    for (const request of queue) {
      if (request.lane.priority !== priority) continue;
      if (venue.waitFor(request.weight) > 0) return true;
      if ((request.account?.waitFor(request.weight) ?? 0) > 0) continue;
      venue.spend(request.weight);
      request.account?.spend(request.weight);
      queue.delete(request);
      request.go();
    }
    return false;
  }

  function dropHopeless(): void {
    const refusal = breaker.refusal();
    const nowMs = clock.now();
    for (const request of queue) {
      if (!refusal && request.expiresAt > nowMs) continue;
      queue.delete(request);
      const retryAfterMs = Math.max(1_000, waitOf(request));
      request.fail(refusal ?? new GatewayError('rate_limited', { retryAfterMs }));
    }
  }

  function pump(): void {
    isPumpDue = false;
    callOff?.();
    callOff = null;
    dropHopeless();
    if (!sendNext('interactive')) sendNext('background');
    if (queue.size === 0) return;
    const nowMs = clock.now();
    let next = longestWaitMs;
    for (const request of queue) next = Math.min(next, waitOf(request), request.expiresAt - nowMs);
    callOff = clock.after(Math.max(1, next), pump);
  }

  /** Once for all calls of the same moment: a check goes through the whole queue. */
  function wake(): void {
    if (isPumpDue) return;
    isPumpDue = true;
    queueMicrotask(pump);
  }

  return {
    wait: ({ weight, lane, account }) =>
      new Promise((go, fail) => {
        queue.add({ weight, lane, account, expiresAt: clock.now() + longestWaitMs, go, fail });
        wake();
      }),
    wake,
    waiting: () => queue.size,
  };
}
