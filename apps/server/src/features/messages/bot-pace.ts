const SECOND_MS = 1_000;
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
  let begun: number[] = [];
  let pausedUntil = 0;
  let failures = 0;

  function lately(): number[] {
    begun = begun.filter((at) => at > now() - SECOND_MS);
    return begun;
  }
  const pause = (ms: number) => {
    pausedUntil = Math.max(pausedUntil, now() + ms);
  };

  return {
    room(underWay) {
      if (now() < pausedUntil) return 0;
      return Math.max(0, Math.min((failures > 0 ? 1 : atOnce) - underWay, perSecond - lately().length));
    },
    waitMs() {
      const at = now();
      const [oldest] = lately();
      const forSecond = oldest !== undefined && begun.length >= perSecond ? oldest + SECOND_MS - at : 0;
      return Math.max(0, pausedUntil - at, forSecond);
    },
    began(count) {
      for (let nth = 0; nth < count; nth += 1) begun.push(now());
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
