import { createHash } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Statements } from '../../../db/statements.ts';
import type { SignInThrottle } from '../sign-in-throttle.ts';

export type CodeVerdict =
  | { ok: true }
  | { ok: false; why: 'wrong' | 'used' }
  | { ok: false; waitSeconds: number };

/** Guesses of codes are counted apart from those of passwords: by user, across all calls. */
export const codeAccount = (userId: string) => `second factor of ${userId}`;

/** Checks the code of an authenticator app. It counts the attempt first, and accepts every code once. */
export type VerifyCode = (attempt: { userId: string; code: string; address: string }) => Promise<CodeVerdict>;

export function createVerifyCode(deps: {
  statements: Statements;
  secret: string;
  throttle: SignInThrottle;
  usedCodes: UsedCodes;
}): VerifyCode {
  const { statements, secret, throttle, usedCodes } = deps;
  return async ({ userId, code, address }) => {
    const attempt = { account: codeAccount(userId), address };
    const waitSeconds = await throttle.take(attempt);
    if (waitSeconds !== null) return { ok: false, waitSeconds };
    const { rows } = await statements.query<{ secret: string }>(
      'SELECT secret FROM identity.two_factor WHERE user_id = $1 AND verified IS NOT FALSE',
      [userId],
    );
    const sealed = rows[0]?.secret;
    if (sealed === undefined) return { ok: false, why: 'wrong' };
    const digits = code.replace(/[\s-]/g, '');
    const isRight = await createOTP(await symmetricDecrypt({ key: secret, data: sealed })).verify(digits);
    if (!isRight) return { ok: false, why: 'wrong' };
    await throttle.clear(attempt);
    return (await usedCodes.use(userId, digits)) ? { ok: true } : { ok: false, why: 'used' };
  };
}

/** Longer than the 90 seconds in which the library accepts a code (its own period and one on either side). */
const MEMORY_S = 300;

/** Allows one use of every code of an authenticator app, across processes (RFC 6238, section 5.2). */
export interface UsedCodes {
  /** Records an accepted code. Returns false when this user has used it before. */
  use(userId: string, code: string): Promise<boolean>;
  isUsed(userId: string, code: string): Promise<boolean>;
}

export function createUsedCodes(statements: Statements, now: () => Date): UsedCodes {
  return {
    async use(userId, code) {
      await statements.query('DELETE FROM identity.used_totp_code WHERE expires_at <= $1', [now()]);
      const { rowCount } = await statements.query(
        `INSERT INTO identity.used_totp_code (user_id, code_hash, expires_at)
         VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
        [userId, hash(code), now(), MEMORY_S],
      );
      return rowCount === 1;
    },
    async isUsed(userId, code) {
      const { rowCount } = await statements.query(
        'SELECT FROM identity.used_totp_code WHERE user_id = $1 AND code_hash = $2 AND expires_at > $3',
        [userId, hash(code), now()],
      );
      return rowCount === 1;
    },
  };
}

const hash = (code: string) => createHash('sha256').update(code.trim()).digest();
