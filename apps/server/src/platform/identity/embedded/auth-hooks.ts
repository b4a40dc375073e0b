import type { BetterAuthOptions } from 'better-auth';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { AccountChange, OnAccountChange } from '../account-change.ts';
import { refusals } from './auth-refusals.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import type { UseTotpCode } from './totp-replay.ts';

/** What a person may send to the calls that write its own record. */
const ALLOWED_FIELDS: Record<string, readonly string[]> = {
  '/update-user': ['name'],
  // No `trustDevice`: a stolen browser profile must not skip the second factor for weeks.
  '/two-factor/verify-totp': ['code'],
  '/two-factor/verify-backup-code': ['code', 'disableSession'],
};

const CHANGES: Record<string, AccountChange['action']> = {
  '/change-password': 'user.password_changed',
  '/two-factor/disable': 'user.second_factor_disabled',
  '/two-factor/generate-backup-codes': 'user.backup_codes_renewed',
  '/two-factor/verify-backup-code': 'user.backup_code_used',
  '/update-user': 'user.renamed',
};

/** Our checks around the calls of the library. */
export function createAuthHooks(deps: {
  throttle: SignInThrottle;
  useTotpCode: UseTotpCode;
  onAccountChange: OnAccountChange;
}): NonNullable<BetterAuthOptions['hooks']> {
  return {
    before: createAuthMiddleware(async (ctx) => {
      const body: Record<string, unknown> = typeof ctx.body === 'object' && ctx.body !== null ? ctx.body : {};
      const allowed = ALLOWED_FIELDS[ctx.path];
      // A false `trustDevice` asks for nothing; the library's own client sends it.
      const foreign = Object.keys(body).find((key) => !allowed?.includes(key) && body[key] !== false);
      if (allowed && foreign !== undefined) throw refusals.fieldNotAllowed(foreign);
      if (ctx.path === '/sign-in/email' && typeof body.email === 'string') {
        const waitSeconds = await deps.throttle.take(body.email);
        if (waitSeconds !== null) throw refusals.tooManyAttempts(waitSeconds);
      }
      // Who changes the password may be throwing somebody out.
      if (ctx.path === '/change-password')
        return { context: { body: { ...body, revokeOtherSessions: true } } };
      return undefined;
    }),
    after: createAuthMiddleware(async (ctx) => {
      if (isAPIError(ctx.context.returned)) return;
      if (ctx.path === '/sign-in/email') await deps.throttle.clear(String(ctx.body.email));
      // With a session at hand the code proves presence and makes no new session; see createSessionHooks.
      const { session, newSession } = ctx.context;
      if (ctx.path === '/two-factor/verify-totp' && session && !newSession) {
        if (!(await deps.useTotpCode(session.user.id, String(ctx.body.code)))) throw refusals.codeUsed();
      }
      const isEnrolling = ctx.path === '/two-factor/verify-totp' && session && newSession;
      const action = isEnrolling ? 'user.second_factor_enabled' : CHANGES[ctx.path];
      const user = (session ?? newSession)?.user;
      if (action && user) await deps.onAccountChange({ action, user: { id: user.id, email: user.email } });
    }),
  };
}
