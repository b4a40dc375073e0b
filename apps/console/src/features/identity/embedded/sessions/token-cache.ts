import { claimsOf } from '../../token-claims.ts';

/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 30_000;

/** Life of a token in ms. A span, so that a wrong clock on this machine does not matter. */
export function lifeMs(token: string): number {
  const { iat, exp } = claimsOf(token);
  return iat !== undefined && exp !== undefined ? (exp - iat) * 1000 : 0;
}

/**
 * Caches one token and renews it shortly before it expires, never twice at a time.
 * @param fetchToken returns null when signed out
 */
export function createTokenCache(fetchToken: () => Promise<string | null>, now: () => number = Date.now) {
  let held: { token: string | null; renewAt: number } | null = null;
  let running: Promise<string | null> | null = null;
  let generation = 0;
  let sessionEndsAt = Infinity;

  const holding = (token: string | null) => {
    const { iat = 0, end = Infinity } = claimsOf(token ?? '');
    // Spans here as well.
    sessionEndsAt = now() + (end - iat) * 1000;
    return { token, renewAt: token ? now() + lifeMs(token) - RENEW_BEFORE_MS : Infinity };
  };
  const renew = () => {
    const askedIn = generation;
    const asked = fetchToken()
      .then((token) => {
        if (askedIn !== generation) return held?.token ?? null;
        // A signed-out result is valid until `clear`: public calls need not ask again.
        held = holding(token);
        return token;
      })
      .finally(() => {
        if (running === asked) running = null;
      });
    running = asked;
    return asked;
  };

  return {
    async get({ force = false }: { force?: boolean } = {}): Promise<string | null> {
      if (running) return running;
      if (!force && held && now() < held.renewAt) return held.token;
      return renew();
    },
    /**
     * Replaces the token with one of more recent authentication, and discards a renewal under way: it may have started
     * too early.
     */
    adopt(token: string) {
      generation += 1;
      held = holding(token);
      running = null;
    },
    /** Until the session ends at the latest, in ms. */
    sessionLeftMs: () => sessionEndsAt - now(),
    /** Drops the token, and the result of a renewal under way: another person may sign in next. */
    clear() {
      generation += 1;
      held = null;
      running = null;
      sessionEndsAt = Infinity;
    },
  };
}
