/** A limit in the venue's own terms: this much weight in this much time. */
export interface DocumentedLimit {
  weight: number;
  windowMs: number;
  /** Part of our budget that may be spent at once; the rest flows in evenly. */
  burst: number;
}

export interface TokenBucket {
  /** How long until this weight may be spent, in ms; 0: now. */
  waitFor(weight: number): number;
  /** Spends weight, into debt if necessary: later requests wait longer for it. */
  spend(weight: number): void;
  /** Nothing may be spent for this long. */
  pause(ms: number): void;
}

/** Sums of fractions differ from a whole number by this much at most. */
const TOLERANCE = 1e-9;

/**
 * Never lets more than `share` of a documented limit be spent within any window of its length: the burst and the inflow
 * during a window are the budget together. A single request heavier than the bucket is sent when the bucket is full,
 * and leaves a debt.
 */
export function createTokenBucket(limit: DocumentedLimit, share: number, now: () => number): TokenBucket {
  const budget = limit.weight * share;
  const capacity = budget * limit.burst;
  const perMs = (budget - capacity) / limit.windowMs;
  let tokens = capacity;
  let countedAt = now();
  let pausedUntil = 0;

  function refill(): void {
    const nowMs = now();
    // A clock that was set back adds nothing, and counting continues from there.
    tokens = Math.min(capacity, tokens + Math.max(0, nowMs - countedAt) * perMs);
    countedAt = nowMs;
  }

  return {
    waitFor(weight) {
      refill();
      const missing = Math.min(weight, capacity) - tokens;
      const forTokens = missing <= TOLERANCE ? 0 : Math.ceil((missing - TOLERANCE) / perMs);
      return Math.max(forTokens, pausedUntil - countedAt, 0);
    },
    spend(weight) {
      refill();
      tokens -= weight;
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
  };
}
