import { createOTP } from '@better-auth/utils/otp';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Statements } from '../../db/statements.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import type { UsedCodes } from './totp-replay.ts';

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
