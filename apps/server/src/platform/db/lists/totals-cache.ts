interface Cached {
  value: unknown;
  takenAt: number;
  costMs: number;
  /** The origin of a change since: a caller of this process, who reads the value next, or any process. */
  changed: 'here' | 'anywhere' | null;
}

export interface TotalsCache {
  /** The value under a key: cached while valid, else computed once for all concurrent callers. */
  get<T>(key: string, compute: () => Promise<T>): Promise<{ value: T; takenAt: Date }>;
  /** Marks all values as changed: they are computed again as soon as their cost allows. */
  touch(): void;
  /**
   * The same after a change of a caller of this process, who reads next what it changed: what is cheap is computed again
   * at once, also where a computation is under way that began before.
   */
  touchHere(): void;
  /** Drops all values: the next request computes them again. */
  clear(): void;
}

/** A changed value stays in use for this many times its own cost. This bounds counting to 1/5 of a core. */
const COST_FACTOR = 4;
/** What cost less is computed again after each act of a person here. */
const CHEAP_MS = 250;

/**
 * Caches counts and sums over many rows, since counting for every page costs more than the page. A value is used until
 * something changes, then counted again, yet never more often than its cost allows; after `maxAgeMs` it is counted
 * again in any case (another process may have written without a notification).
 */
export function createTotalsCache({
  now,
  maxAgeMs,
  maxEntries = 500,
}: {
  now: () => number;
  maxAgeMs: number;
  /** The most recently requested entries stay. */
  maxEntries?: number;
}): TotalsCache {
  const kept = new Map<string, Cached>();
  const running = new Map<string, Promise<Cached>>();

  async function take(key: string, compute: () => Promise<unknown>): Promise<Cached> {
    const startedAt = now();
    // The previous cost counts until the new one is known, so that acts do not restart an expensive
    // computation.
    const costMs = kept.get(key)?.costMs ?? 0;
    const entry: Cached = { value: undefined, takenAt: startedAt, costMs, changed: null };
    kept.delete(key);
    kept.set(key, entry); // set before the computation, so that a change during it marks the value
    try {
      entry.value = await compute();
      entry.costMs = now() - startedAt;
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries) break;
        kept.delete(oldest);
      }
      return entry;
    } catch (error) {
      if (kept.get(key) === entry) kept.delete(key);
      throw error;
    }
  }

  function start(key: string, compute: () => Promise<unknown>): Promise<Cached> {
    const flight: Promise<Cached> = take(key, compute).finally(() => {
      // After `clear`, a newer computation may be running.
      if (running.get(key) === flight) running.delete(key);
    });
    running.set(key, flight);
    return flight;
  }

  return {
    async get<T>(key: string, compute: () => Promise<T>) {
      let entry = kept.get(key);
      const isOfBefore = entry?.changed === 'here' && entry.costMs < CHEAP_MS;
      const inFlight = isOfBefore ? undefined : running.get(key);
      const age = entry ? now() - entry.takenAt : 0;
      const isGood =
        entry && !inFlight && !isOfBefore && age < (entry.changed ? entry.costMs * COST_FACTOR : maxAgeMs);
      if (!entry || !isGood) {
        entry = await (inFlight ?? start(key, compute));
      }
      return { value: entry.value as T, takenAt: new Date(entry.takenAt) };
    },
    touch() {
      for (const entry of kept.values()) entry.changed ??= 'anywhere';
    },
    touchHere() {
      for (const entry of kept.values()) entry.changed = 'here';
    },
    clear() {
      kept.clear();
      // A computation under way may have begun before the change.
      running.clear();
    },
  };
}
