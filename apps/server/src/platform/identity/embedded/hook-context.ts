import type { createAuthMiddleware } from 'better-auth/api';
import type { Statements } from '../../db/statements.ts';
import type { OnAccountChange } from '../account-change.ts';
import { CLIENT_ADDRESS_HEADER } from '../client-address.ts';
import { refusals } from './auth-refusals.ts';
import type { PasswordHashes } from './passwords/password-hashes.ts';
import type { UsedCodes, VerifyCode } from './second-factor/second-factor.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface HookDeps {
  statements: Statements;
  secret: string;
  throttle: SignInThrottle;
  usedCodes: UsedCodes;
  verifyCode: VerifyCode;
  passwordHashes: PasswordHashes;
  now: () => Date;
  /** Longest life of a session. */
  maxSessionS: number;
  onAccountChange: OnAccountChange;
}

/** A call of the library, as its hooks see it. */
export type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Always ours: the server overwrites this header. */
export function addressOf(ctx: Context): string {
  return ctx.headers?.get(CLIENT_ADDRESS_HEADER) ?? '';
}

/** Counts an attempt. @throws a refusal when there were too many */
export async function take(
  { throttle }: HookDeps,
  attempt: { account: string; address: string },
): Promise<void> {
  const waitSeconds = await throttle.take(attempt);
  if (waitSeconds !== null) throw refusals.tooManyAttempts(waitSeconds);
}

/** Records that the person of a session has proven the second factor now. */
export async function recordRecentAuth({ statements, now }: HookDeps, sessionId: string): Promise<void> {
  await statements.query('UPDATE identity.session SET second_factor_at = $2 WHERE id = $1', [
    sessionId,
    now(),
  ]);
}
