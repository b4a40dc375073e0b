import { verifyToken } from '@clerk/backend';
import { TokenVerificationError, TokenVerificationErrorReason } from '@clerk/backend/errors';
import { decodeProtectedHeader } from 'jose';
import type { Logger } from '../../observe/log.ts';
import { CLOCK_SKEW_S, rememberVerified, type TokenVerdict } from '../verified-tokens.ts';
import type { HostedSettings } from './hosted-settings.ts';

/** A session token lives for a minute; this is far above what the vendor allows. */
const MAX_LIFE_S = 24 * 3_600;
/** Tokens without `v` are of version 1. */
const VERSIONS: readonly unknown[] = [undefined, 1, 2];

type Claims = Record<string, unknown>;

/**
 * Checks a session token of the hosted service without a call to it: the vendor's own check of signature,
 * times and authorised party, and then refuses what that check accepts: another issuer, another algorithm or
 * type, a pending session, a token for another purpose (which has no session), a token without a party, and
 * an administrator there who acts as the person. Only our own views read with another person's eyes: the
 * audit records them, they end after half an hour and never show a super admin.
 */
export function createHostedTokenVerifier(
  { jwtKey, issuer, authorizedParties }: Pick<HostedSettings, 'jwtKey' | 'issuer' | 'authorizedParties'>,
  { log, now }: { log: Logger; now: () => Date },
): (text: string) => Promise<TokenVerdict> {
  return rememberVerified(async (text) => {
    const type = readHeader(text);
    if (type === null) return { ok: false, code: 'malformed_token' };
    if (type !== 'RS256 JWT') return { ok: false, code: 'invalid_token' };
    let claims: Claims;
    try {
      claims = {
        ...(await verifyToken(text, {
          jwtKey,
          authorizedParties: [...authorizedParties],
          clockSkewInMs: CLOCK_SKEW_S * 1_000,
        })),
      };
    } catch (error) {
      return { ok: false, code: refusalOf(error) };
    }
    const problem = findProblem(claims, issuer);
    if (problem) {
      log.warn({ problem, subject: claims.sub }, 'a genuine token of the identity service was refused');
      return { ok: false, code: 'invalid_token' };
    }
    const organizationId = organizationOf(claims) as string | null;
    const { sub, sid, exp, iat, fva } = claims as {
      sub: string;
      sid: string;
      exp: number;
      iat: number;
    } & Claims;
    if ((exp + CLOCK_SKEW_S) * 1_000 <= now().getTime()) return { ok: false, code: 'token_expired' };
    return {
      ok: true,
      token: {
        userId: sub,
        sessionId: sid,
        expiresAtMs: exp * 1_000,
        issuedAt: new Date(iat * 1_000),
        fva: isFactorAges(fva) ? fva : [-1, -1],
        ...(organizationId === null ? {} : { organizationId }),
      },
    };
  }, now);
}

/** `o` of version 2, or `org_id` of version 1; null: none. */
const organizationOf = ({ o, org_id }: Claims): unknown =>
  (typeof o === 'object' ? (o as { id?: unknown } | null)?.id : o) ?? org_id ?? null;

/** Algorithm and type, as in `RS256 JWT`; null: no token. */
function readHeader(text: string): string | null {
  try {
    const { alg, typ } = decodeProtectedHeader(text);
    return `${alg} ${typ}`;
  } catch {
    return null;
  }
}

/** Why a token with a genuine signature does not count; for the log. */
function findProblem(claims: Claims, issuer: string): string | null {
  const { iss, sts, azp, act, v, sub, sid, exp, iat } = claims;
  const organization = organizationOf(claims);
  if (iss !== issuer) return 'issuer';
  if (typeof azp !== 'string' || azp === '') return 'no authorised party';
  if (sts !== undefined && sts !== 'active') return 'session status';
  if (act !== undefined && act !== null) return 'impersonation';
  if (!VERSIONS.includes(v)) return 'version';
  if (typeof sub !== 'string' || !/^user_\w{1,100}$/.test(sub)) return 'subject';
  if (typeof sid !== 'string' || !/^sess_\w{1,100}$/.test(sid)) return 'session';
  if (organization !== null && !/^org_\w{1,100}$/.test(String(organization))) return 'organisation';
  if (typeof exp !== 'number' || typeof iat !== 'number' || exp - iat > MAX_LIFE_S) return 'life';
  return null;
}

function isFactorAges(fva: unknown): fva is [number, number] {
  return Array.isArray(fva) && fva.length === 2 && fva.every((minutes) => Number.isFinite(minutes));
}

function refusalOf(error: unknown): 'malformed_token' | 'invalid_token' | 'token_expired' {
  if (!(error instanceof TokenVerificationError)) return 'invalid_token';
  if (error.reason === TokenVerificationErrorReason.TokenExpired) return 'token_expired';
  if (error.reason === TokenVerificationErrorReason.TokenInvalid) return 'malformed_token';
  return 'invalid_token';
}
