import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How far clocks may differ. */
export const CLOCK_SKEW_S = 5;
const MAX_TOKEN_LENGTH = 4_096;
/** More than the callers of any process within the 5 minutes of a token; about 200 bytes each. */
const MAX_REMEMBERED = 20_000;

export interface VerifiedToken {
  /** The id of its person at the identity service. */
  userId: string;
  sessionId: string;
  expiresAtMs: number;
  issuedAt: Date;
  /** Minutes since the first and the second factor when it was issued; -1: never. */
  fva: readonly [number, number];
  /** The organisation of a hosted service in which its person works. */
  organizationId?: string;
}

export type TokenVerdict =
  | { ok: true; token: VerifiedToken }
  | { ok: false; code: 'malformed_token' | 'invalid_token' | 'token_expired' };

const BEARER = /^Bearer +(\S+)$/i;

/** Verifies the token of an `authorization` header. */
export async function verifyBearer(
  authorization: string | undefined,
  verify: (text: string) => Promise<TokenVerdict>,
): Promise<TokenVerdict | { ok: false; code: 'missing_token' }> {
  if (!authorization) return { ok: false, code: 'missing_token' };
  const token = BEARER.exec(authorization)?.[1];
  return token ? verify(token) : { ok: false, code: 'malformed_token' };
}

/** A signature check costs about half a millisecond, so a valid token is cached by its SHA-256 until it expires. */
export function rememberVerified(
  verify: (text: string) => Promise<TokenVerdict>,
  now: () => Date,
): (text: string) => Promise<TokenVerdict> {
  const remembered = new LRUCache<string, VerifiedToken>({ max: MAX_REMEMBERED });
  return async (text) => {
    if (text.length > MAX_TOKEN_LENGTH) return { ok: false, code: 'malformed_token' };
    const key = createHash('sha256').update(text).digest('base64');
    const known = remembered.get(key);
    if (known) {
      if (known.expiresAtMs + CLOCK_SKEW_S * 1000 > now().getTime()) return { ok: true, token: known };
      remembered.delete(key);
      return { ok: false, code: 'token_expired' };
    }
    const verdict = await verify(text);
    if (verdict.ok) remembered.set(key, verdict.token);
    return verdict;
  };
}
