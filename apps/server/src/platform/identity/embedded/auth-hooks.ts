import type { BetterAuthOptions } from 'better-auth';
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api';
import type { AccountChange } from '../account-change.ts';
import { refusals } from './auth-refusals.ts';
import { addressOf, type Context, type HookDeps, recordRecentAuth, take } from './hook-context.ts';
import { standInFor, typedAddress } from './library-address.ts';
import { checkPasskeyCall, concludePasskeyCall } from './passkeys/passkey-hooks.ts';
import { checkNewPassword, renewHash } from './passwords/password-hooks.ts';
import { forgetVerifications } from './passwords/reset-mail.ts';
import { requireRecentAuth } from './recent-auth.ts';
import { recordAttempted } from './refused-sign-ins.ts';
import { codeAccount } from './second-factor/second-factor.ts';
import { requireSameSetUp, withComparedCode } from './second-factor/typed-codes.ts';
import { renewSession } from './sessions/session-renewal.ts';

/** The fields that people may send in calls that write their own record. */
const ALLOWED_FIELDS: Record<string, readonly string[]> = {
  '/update-user': ['name'],
  // No `trustDevice`: a stolen browser profile must not skip the second factor for weeks.
  '/two-factor/verify-totp': ['code', 'setUp'],
  '/two-factor/verify-backup-code': ['code', 'disableSession'],
  // No `createSession`: a passkey that was just registered signs in like any other.
  '/passkey/verify-registration': ['response', 'name'],
  '/passkey/verify-authentication': ['response'],
};

/** Calls that undo or copy a factor: with a second factor set up, the password alone is not enough for them. */
const NEEDS_CODE = new Set([
  '/change-password',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
]);
/** Calls that set up an authenticator app, whose codes then count as a second factor. */
const SETS_UP_APP = new Set(['/two-factor/enable', '/two-factor/verify-totp']);
const GUESSES_CODE = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

const CHANGES: Record<string, AccountChange['action']> = {
  '/change-password': 'user.password_changed',
  '/two-factor/disable': 'user.second_factor_disabled',
  '/two-factor/generate-backup-codes': 'user.backup_codes_renewed',
  '/two-factor/verify-backup-code': 'user.backup_code_used',
  '/update-user': 'user.renamed',
};

/** Our checks around the library's calls. */
export function createAuthHooks(deps: HookDeps): NonNullable<BetterAuthOptions['hooks']> {
  return {
    before: createAuthMiddleware(async (ctx) => {
      const body: Record<string, unknown> = typeof ctx.body === 'object' && ctx.body !== null ? ctx.body : {};
      const allowed = ALLOWED_FIELDS[ctx.path];
      if (!isPlainText([body, ctx.query])) throw refusals.invalidInput();
      // A false `trustDevice` has no effect; the library's own client sends it.
      const foreign = Object.keys(body).find((key) => !allowed?.includes(key) && body[key] !== false);
      if (allowed && foreign !== undefined) throw refusals.fieldNotAllowed(foreign);
      if (ctx.path === '/update-user' && !isName(body.name)) throw refusals.invalidInput();
      const email = typedAddress(ctx.path, body);
      if (ctx.path === '/sign-in/email' && email !== null) {
        recordAttempted({ email });
        await take(deps, { account: email, address: addressOf(ctx) });
      }
      if (email !== null) return { context: { body: { ...body, email: standInFor(email) } } };
      if (ctx.path === '/token') await renewSession(deps, ctx);
      await checkNewPassword(deps, ctx, body);
      await checkPasskeyCall(deps, ctx, body);
      if (SETS_UP_APP.has(ctx.path)) await guardSetUp(deps, ctx);
      if (GUESSES_CODE.has(ctx.path)) return { context: { body: await countGuess(deps, ctx, body) } };
      if (!NEEDS_CODE.has(ctx.path)) return undefined;
      await requireCode(deps, ctx, body.code);
      const { code: _checked, ...rest } = body;
      // A new password ends the other sessions, which may have used the old one.
      const isNewPassword = ctx.path === '/change-password';
      return { context: { body: isNewPassword ? { ...rest, revokeOtherSessions: true } : rest } };
    }),
    after: createAuthMiddleware(async (ctx) => {
      if (isAPIError(ctx.context.returned)) return undefined;
      if (ctx.path === '/sign-in/email') {
        const account = typedAddress(ctx.path, ctx.body) ?? '';
        await deps.throttle.clear({ account, address: addressOf(ctx) });
        await renewHash(deps, ctx);
      }
      // With an existing session the code renews recent authentication and starts no new session; see
      // `createSessionHooks`.
      const { session, newSession } = ctx.context;
      if (ctx.path === '/two-factor/verify-totp' && session && !newSession) {
        if (!(await deps.usedCodes.use(session.user.id, String(ctx.body.code)))) throw refusals.codeUsed();
        await recordRecentAuth(deps, session.session.id);
      }
      const isEnrolling = ctx.path === '/two-factor/verify-totp' && session && newSession;
      const action = isEnrolling ? 'user.second_factor_enabled' : CHANGES[ctx.path];
      const user = (session ?? newSession)?.user;
      if (user && GUESSES_CODE.has(ctx.path))
        await deps.throttle.clear({ account: codeAccount(user.id), address: addressOf(ctx) });
      if (user && ctx.path === '/change-password') await forgetVerifications(deps.statements, user.id);
      if (action && user) await deps.onAccountChange({ action, user: { id: user.id, email: user.email } });
      return concludePasskeyCall(deps, ctx);
    }),
  };
}

/**
 * Counts a guess before it is checked. A used code does not use up its sign-in.
 * @returns the body, with the code as it is compared
 */
async function countGuess(
  deps: HookDeps,
  ctx: Context,
  { setUp, ...sent }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = withComparedCode(deps, ctx.path, sent);
  const userId = await findUserId(ctx);
  if (userId === null) return body; // the library answers this case
  await requireSameSetUp(deps, { setUp, userId });
  recordAttempted({ userId });
  await take(deps, { account: codeAccount(userId), address: addressOf(ctx) });
  const isTotp = ctx.path === '/two-factor/verify-totp';
  if (isTotp && typeof body.code === 'string' && (await deps.usedCodes.isUsed(userId, body.code)))
    throw refusals.codeUsed();
  return body;
}

/** The user whose code this is: that of the session, or of the sign-in that waits for its second factor. */
async function findUserId(ctx: Context): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { name } = ctx.context.createAuthCookie('two_factor');
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret);
  if (!challenge) return null;
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null;
}

async function requireCode(deps: HookDeps, ctx: Context, code: unknown): Promise<void> {
  const session = await getSessionFromCtx(ctx);
  const user = session?.user as { id: string; twoFactorEnabled?: boolean | null } | undefined;
  if (!user) return; // the library answers this case
  recordAttempted({ userId: user.id });
  if (!user.twoFactorEnabled) {
    if (await hasPasskey(deps, user.id)) await requireRecentAuth(deps, ctx);
    return;
  }
  if (typeof code !== 'string' || code.trim() === '') throw refusals.codeRequired();
  const verdict = await deps.verifyCode({ userId: user.id, code, address: addressOf(ctx) });
  if (verdict.ok) return;
  if ('waitSeconds' in verdict) throw refusals.tooManyAttempts(verdict.waitSeconds);
  throw verdict.why === 'used' ? refusals.codeUsed() : refusals.codeWrong();
}

/**
 * An account with passkeys needs one of them to set up an app: otherwise the password alone would be enough
 * to add a second factor.
 */
async function guardSetUp(deps: HookDeps, ctx: Context): Promise<void> {
  const session = await getSessionFromCtx(ctx);
  const user = session?.user as { id: string; twoFactorEnabled?: boolean | null } | undefined;
  if (user) recordAttempted({ userId: user.id });
  if (user && !user.twoFactorEnabled && (await hasPasskey(deps, user.id))) await requireRecentAuth(deps, ctx);
}

async function hasPasskey({ statements }: HookDeps, userId: string): Promise<boolean> {
  const { rowCount } = await statements.query('SELECT FROM identity.passkey WHERE user_id = $1 LIMIT 1', [
    userId,
  ]);
  return rowCount === 1;
}

/** PostgreSQL stores no NUL in a text, and half a surrogate pair is no character. */
function isPlainText(input: unknown): boolean {
  if (typeof input === 'string') return !input.includes('\0') && input.isWellFormed();
  return typeof input !== 'object' || input === null || Object.values(input).every(isPlainText);
}

/** The same rule as for names in the contract. */
function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.length <= 200;
}
