/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 30_000;

interface Claims {
  iat?: number;
  exp?: number;
}

function claimsOf(token: string): Claims {
  const payload = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
  try {
    return JSON.parse(atob(payload)) as Claims;
  } catch {
    return {};
  }
}

/** Life of a token in ms. Taken as a span, so that a wrong clock on this machine does not matter. */
export function lifeMs(token: string): number {
  const { iat, exp } = claimsOf(token);
  return iat !== undefined && exp !== undefined ? (exp - iat) * 1000 : 0;
}

/**
 * Keeps one token and renews it when it is about to expire, never twice at a time.
 * @param fetchToken answers null when nobody is signed in
 */
export function createTokenCache(fetchToken: () => Promise<string | null>, now: () => number = Date.now) {
  let held: { token: string | null; renewAt: number } | null = null;
  let running: Promise<string | null> | null = null;
  let generation = 0;

  const holding = (token: string | null) => ({
    token,
    renewAt: token ? now() + lifeMs(token) - RENEW_BEFORE_MS : Infinity,
  });
  const renew = () => {
    const askedIn = generation;
    const asked = fetchToken()
      .then((token) => {
        if (askedIn !== generation) return held?.token ?? null;
        // That nobody is signed in holds until `clear`: public calls need not ask again.
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
    /** Takes a token that says more than the one before; a renewal under way may have been asked for too early. */
    adopt(token: string) {
      generation += 1;
      held = holding(token);
      running = null;
    },
    /** Drops the token, and the answer of a renewal under way: somebody else may sign in next. */
    clear() {
      generation += 1;
      held = null;
      running = null;
    },
  };
}
