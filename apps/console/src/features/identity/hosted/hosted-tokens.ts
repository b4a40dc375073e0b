import { claimsOf } from '../token-claims.ts';

/** A token is not handed out within this time before its end: the request takes a while. */
const MARGIN_MS = 5_000;

interface Held {
  token: string;
  renewAt: number;
  endsAt: number;
}

export interface HostedTokensOptions {
  /** Asks the service; null: signed out. Throws while it cannot be reached. */
  fetchToken(): Promise<string | null>;
  /** Runs one at a time over all tabs. */
  exclusively(run: () => Promise<string | null>): Promise<string | null>;
  /** Hands a new token to the other tabs. */
  share(token: string): void;
  /** Resolves once a token that another tab has shared is here: it may come after the turn of that tab has ended. */
  arrived?(): Promise<void>;
  now?: () => number;
}

/**
 * The access token of all tabs: one of them renews it when half of its life has passed, and gives it to the others. Until
 * it ends no caller waits for the renewal.
 */
export function createHostedTokens({
  fetchToken,
  exclusively,
  share,
  arrived = async () => {},
  now = Date.now,
}: HostedTokensOptions) {
  let held: Held | null = null;
  let running: Promise<string | null> | null = null;
  let generation = 0;

  const hold = (token: string) => {
    const { iat = 0, exp = 0 } = claimsOf(token);
    // A span, so that a wrong clock on this machine does not matter.
    const lifeMs = (exp - iat) * 1_000;
    held = { token, renewAt: now() + lifeMs / 2, endsAt: now() + lifeMs - MARGIN_MS };
  };
  const isFresh = () => held !== null && now() < held.renewAt;

  const renew = (isForced: boolean): Promise<string | null> => {
    const askedIn = generation;
    const asked = exclusively(async () => {
      // Another tab may have renewed it while this one waited.
      if (!isForced && held !== null) await arrived();
      if (!isForced && isFresh()) return held?.token ?? null;
      const token = await fetchToken();
      if (askedIn !== generation) return token;
      if (token === null) held = null;
      else {
        hold(token);
        share(token);
      }
      return token;
    }).finally(() => {
      if (running === asked) running = null;
    });
    running = asked;
    return asked;
  };

  return {
    async get({ force = false }: { force?: boolean } = {}): Promise<string | null> {
      if (force) return renew(true);
      if (held && isFresh()) return held.token;
      const renewal = running ?? renew(false);
      if (held && now() < held.endsAt) {
        renewal.catch(() => {});
        return held.token;
      }
      return renewal;
    },
    /**
     * A token that another tab got. One of another session belongs to another person, or an older sign-in; one of another
     * organisation has other rights.
     */
    adopt(token: string) {
      if (held === null) return;
      const [given, own] = [claimsOf(token), claimsOf(held.token)];
      if (given.sid !== own.sid || given.o?.id !== own.o?.id) return;
      if ((given.iat ?? 0) >= (own.iat ?? 0)) hold(token);
    },
    /** Drops the token: another person may sign in next. */
    clear() {
      generation += 1;
      held = null;
      running = null;
    },
  };
}
