import { errors, type JWTPayload, jwtVerify } from 'jose';
import { CLOCK_SKEW_S, rememberVerified, type TokenVerdict } from '../../verified-tokens.ts';
import { TOKEN_ISSUER } from '../auth-instance.ts';
import type { SigningKeys } from './signing-keys.ts';

/**
 * Checks an access token: EdDSA only, one of our keys, our issuer and audience, all claims present, not expired.
 */
export const createTokenVerifier = (keys: SigningKeys, now: () => Date) =>
  rememberVerified((text) => verify(text, keys, now), now);

async function verify(text: string, keys: SigningKeys, now: () => Date): Promise<TokenVerdict> {
  const check = async (keySet: Awaited<ReturnType<SigningKeys['current']>>) =>
    (
      await jwtVerify(text, keySet, {
        algorithms: ['EdDSA'],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_ISSUER,
        requiredClaims: ['exp', 'iat', 'sub', 'sid', 'fva'],
        clockTolerance: CLOCK_SKEW_S,
        currentDate: now(),
      })
    ).payload;
  const current = await keys.current();
  let failure: unknown;
  try {
    return accept(await check(current));
  } catch (error) {
    failure = error;
  }
  const isUnknownKey = failure instanceof errors.JWKSNoMatchingKey;
  // A key that another process created since our last read.
  const reloaded = isUnknownKey ? await keys.reload() : null;
  if (!reloaded) return { ok: false, code: refusalOf(failure) };
  try {
    return accept(await check(reloaded));
  } catch (error) {
    return { ok: false, code: refusalOf(error) };
  }
}

function accept({ sub, sid, exp, iat, fva }: JWTPayload): TokenVerdict {
  if (
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    typeof exp !== 'number' ||
    typeof iat !== 'number'
  )
    return { ok: false, code: 'invalid_token' };
  if (!isFactorAges(fva)) return { ok: false, code: 'invalid_token' };
  const token = { userId: sub, sessionId: sid, expiresAtMs: exp * 1000, issuedAt: new Date(iat * 1000), fva };
  return { ok: true, token };
}

function isFactorAges(fva: unknown): fva is [number, number] {
  return Array.isArray(fva) && fva.length === 2 && fva.every((minutes) => typeof minutes === 'number');
}

function refusalOf(error: unknown): 'malformed_token' | 'invalid_token' | 'token_expired' {
  if (error instanceof errors.JWTExpired) return 'token_expired';
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'malformed_token';
  return 'invalid_token';
}
