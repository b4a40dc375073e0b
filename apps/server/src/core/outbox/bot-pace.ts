/**
 * The part of a second's messages that go at once; the others are spread evenly. If 25 at once arrive late and the next
 * 25 in time, Telegram counts 50 in a second.
 */
const BURST = 0.2;
/** Maximum rounding error of sums of fractions. */
const TOLERANCE = 1e-6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface BotPace {
  /** How many messages may start now. @param underWay messages in progress */
  room(underWay: number): number;
  /** Time until the clock frees a slot; 0: the wait does not depend on the clock. */
  waitMs(): number;
  /** How long no message may start; 0: one may. Rows are taken without this: the database may take its time. */
  pausedMs(): number;
  began(count: number): void;
  /**
   * Takes rows for this many slots, which no other loop of the bot uses meanwhile; those that it did not need are free
   * again.
   * @throws what taking them throws
   */
  within<T extends { count: number }>(slots: number, take: () => Promise<T>): Promise<T>;
  /** Telegram answered, with any result. */
  answered(): void;
  /** Telegram did not answer, or returned a server error. */
  unanswered(): void;
  /** Starts no message for this long. */
  pause(ms: number): void;
}

/**
 * Decides when one bot may send: it starts at most `perSecond` messages within a second. While Telegram does not
 * answer, it sends one message at a time at growing intervals, so an outage costs few attempts.
 */
export function createBotPace({
  perSecond,
  atOnce,
  now,
}: {
  perSecond: number;
  atOnce: number;
  now: () => number;
}): BotPace {
  const burst = Math.max(1, perSecond * BURST);
  const perMs = (perSecond * (1 - BURST)) / 1_000;
  let tokens = burst;
  let countedAt = now();
  let pausedUntil = 0;
  let failures = 0;

  function missing(): number {
    const at = now();
    tokens = Math.min(burst, tokens + Math.max(0, at - countedAt) * perMs);
    countedAt = at;
    return Math.max(0, burst - tokens - TOLERANCE);
  }
  const pause = (ms: number) => {
    pausedUntil = Math.max(pausedUntil, now() + ms);
  };

  return {
    pausedMs: () => Math.max(0, pausedUntil - now()),
    room(underWay) {
      // Waits for several slots, because one query for several messages costs less than one each.
      if (now() < pausedUntil || missing() > 0) return 0;
      return Math.max(0, Math.min((failures > 0 ? 1 : atOnce) - underWay, Math.floor(burst)));
    },
    waitMs() {
      return Math.max(0, pausedUntil - now(), Math.ceil(missing() / perMs));
    },
    began(count) {
      tokens -= count;
    },
    async within(slots, take) {
      tokens -= slots;
      let used = 0;
      try {
        const taken = await take();
        used = taken.count;
        return taken;
      } finally {
        tokens += slots - used;
      }
    },
    answered: () => {
      failures = 0;
    },
    unanswered() {
      // Concurrent failures have one cause and count once.
      if (now() >= pausedUntil) failures += 1;
      pause(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
    },
    pause,
  };
}
