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
      if (!isPlainText([body, ctx.query])) throw refusals.invalidInput();
      // A false `trustDevice` asks for nothing; the library's own client sends it.
      const foreign = Object.keys(body).find((key) => !allowed?.includes(key) && body[key] !== false);
      if (allowed && foreign !== undefined) throw refusals.fieldNotAllowed(foreign);
      if (ctx.path === '/update-user' && !isName(body.name)) throw refusals.invalidInput();
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

/** PostgreSQL keeps no NUL in a text, and half a surrogate pair is no character. */
function isPlainText(input: unknown): boolean {
  if (typeof input === 'string') return !input.includes('\0') && input.isWellFormed();
  return typeof input !== 'object' || input === null || Object.values(input).every(isPlainText);
}

/** As the contract has the names that are chosen elsewhere. */
function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.length <= 200;
}
