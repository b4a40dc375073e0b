/**
 * The part of a second's messages that go at once; the others flow in evenly. Twenty-five at once that arrive late, and
 * the next twenty-five in time, are fifty in a second to Telegram.
 */
const BURST = 0.2;
/** Sums of fractions miss a whole number by so much at most. */
const TOLERANCE = 1e-6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface BotPace {
  /** How many messages may be begun now. @param underWay how many are */
  room(underWay: number): number;
  /** How long until there is room by the clock; 0: it does not depend on it. */
  waitMs(): number;
  began(count: number): void;
  /** Telegram answered, whatever it said. */
  answered(): void;
  /** Telegram did not, or not for itself. */
  unanswered(): void;
  /** Nothing is begun for so long. */
  pause(ms: number): void;
}

/**
 * When one bot may write: never more than `perSecond` messages are begun within a second. While Telegram does not
 * answer it is asked with one message at a time, and less and less often: an outage costs few attempts.
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
    room(underWay) {
      // A few together cost the database one question, not one each.
      if (now() < pausedUntil || missing() > 0) return 0;
      return Math.max(0, Math.min((failures > 0 ? 1 : atOnce) - underWay, Math.floor(burst)));
    },
    waitMs() {
      return Math.max(0, pausedUntil - now(), Math.ceil(missing() / perMs));
    },
    began(count) {
      tokens -= count;
    },
    answered: () => {
      failures = 0;
    },
    unanswered() {
      // Those that were under way together failed of one cause.
      if (now() >= pausedUntil) failures += 1;
      pause(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
    },
    pause,
  };
}
