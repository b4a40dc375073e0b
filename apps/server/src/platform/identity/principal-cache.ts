import { LRUCache } from 'lru-cache';
import type { AuthResult, SecondFactor } from './identity.ts';
import type { VerifiedToken } from './verified-tokens.ts';

/** How long the database's answer about a session may be reused (IDENTITY: at most 30 seconds). */
const MAX_AGE_MS = 30_000;
const MAX_REMEMBERED = 10_000;

/** What was read about a session. */
export interface ReadPrincipal {
  result: AuthResult;
  /** Our id of the person; null: none. */
  userId: string | null;
  readAtMs: number;
  /** From then on it must be read again. */
  sessionEndsAtMs: number;
}

export interface PrincipalCache {
  /** The principal behind a verified token now. */
  find(token: VerifiedToken, fresh: boolean): Promise<AuthResult>;
  /** @param userId our id of the person */
  forgetUser(userId: string): void;
  forgetSession(sessionId: string): void;
  forgetAll(): void;
}

/** Looks up the session and the flags behind a token. Caches only valid results, and briefly. */
export function createPrincipalCache(
  read: (token: VerifiedToken, at: Date) => Promise<ReadPrincipal>,
  now: () => Date,
): PrincipalCache {
  const remembered = new LRUCache<string, ReadPrincipal & { sessionId: string }>({ max: MAX_REMEMBERED });
  // Counts invalidations: a read that began before one must not be cached after it.
  let epoch = 0;
  const forgetWhere = (matches: (entry: ReadPrincipal & { sessionId: string }) => boolean) => {
    epoch += 1;
    for (const [key, entry] of [...remembered.entries()]) if (matches(entry)) remembered.delete(key);
  };

  return {
    async find(token, fresh) {
      const key = `${token.userId} ${token.sessionId}`;
      const known = fresh ? undefined : remembered.get(key);
      const at = now().getTime();
      if (known && at - known.readAtMs < MAX_AGE_MS && at < known.sessionEndsAtMs)
        return withFactors(known.result, token);
      const epochBefore = epoch;
      const found = await read(token, now());
      if (found.result.ok && epoch === epochBefore)
        remembered.set(key, { ...found, sessionId: token.sessionId });
      else remembered.delete(key);
      return found.result;
    },
    forgetUser: (userId) => forgetWhere((entry) => entry.userId === userId),
    forgetSession: (sessionId) => forgetWhere((entry) => entry.sessionId === sessionId),
    forgetAll: () => forgetWhere(() => true),
  };
}

/** The factors of a token, on an account with these second factors. */
export const factorsOf = ({ fva, issuedAt }: VerifiedToken, enrolled: readonly SecondFactor[]) => ({
  fva,
  issuedAt,
  enrolled,
  hasSecondFactor: enrolled.length > 0,
});

/** The cached session with this token's own factors: another token of the session may be older or newer. */
function withFactors(result: AuthResult, token: VerifiedToken): AuthResult {
  if (!result.ok || result.principal.kind !== 'user') return result;
  const factors = factorsOf(token, result.principal.factors.enrolled);
  return { ok: true, principal: { ...result.principal, factors } };
}
