export interface Budget {
  limit: number;
  windowMs: number;
}

export interface Spent {
  isAllowed: boolean;
  /** Within the current window, this request included. */
  used: number;
  limit: number;
  /** Until the window ends. */
  resetMs: number;
}

export interface RateLimiter {
  /**
   * Counts a request against a budget, whether or not it is allowed. @param who the budget's owner, as in `ip
   * 127.0.0.1`
   */
  take(who: string, weight: number, budget: Budget): Spent;
  /** Bans an owner of budgets for a while. */
  ban(who: string, ms: number): void;
  /** The rest of a ban; 0: no ban. */
  bannedForMs(who: string): number;
}

/** Documented limits, none, or the documented ones times a number. */
export type RateLimits = 'documented' | 'off' | number;

/** Expired windows are dropped above this number. */
const WINDOWS_AT_MOST = 20_000;

/** Counts requests in windows that begin at whole multiples of their length, like binance. */
export function createRateLimiter(now: () => number, limits: RateLimits): RateLimiter {
  const factor = limits === 'off' ? Number.POSITIVE_INFINITY : limits === 'documented' ? 1 : limits;
  const windows = new Map<string, { endsAt: number; used: number }>();
  const bans = new Map<string, number>();
  return {
    take(who, weight, { limit, windowMs }) {
      const at = now();
      let window = windows.get(who);
      if (!window || window.endsAt <= at) {
        if (windows.size >= WINDOWS_AT_MOST) windows.clear();
        window = { endsAt: (Math.floor(at / windowMs) + 1) * windowMs, used: 0 };
        windows.set(who, window);
      }
      window.used += weight;
      return {
        isAllowed: window.used <= limit * factor,
        used: window.used,
        limit: Number.isFinite(factor) ? Math.round(limit * factor) : limit,
        resetMs: window.endsAt - at,
      };
    },
    ban: (who, ms) => bans.set(who, now() + ms),
    bannedForMs: (who) =>
      factor === Number.POSITIVE_INFINITY ? 0 : Math.max(0, (bans.get(who) ?? 0) - now()),
  };
}
