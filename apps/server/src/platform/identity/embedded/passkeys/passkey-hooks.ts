import { RECENT_AUTHENTICATION_MINUTES } from '@copydesk/domain/access';
import { getSessionFromCtx } from 'better-auth/api';
import { refusals } from '../auth-refusals.ts';
import { addressOf, type Context, type HookDeps, recordRecentAuth, take } from '../hook-context.ts';
import { requireRecentAuth } from '../recent-auth.ts';
import { recordAttempted } from '../refused-sign-ins.ts';
import { passkeyAccount } from './passkey-proofs.ts';

export const PASSKEY_SIGN_IN = '/passkey/verify-authentication';
/** The same as in the contract. */
const NAME_LENGTH = 60;
const PASSKEYS_MAX = 20;
/** The life of the library's challenges. A proof that was recent enough for one is recent enough for its answer. */
const CHALLENGE_MINUTES = 5;

/**
 * Our checks before the library's calls for passkeys.
 * @throws APIError one of `refusals`
 */
export async function checkPasskeyCall(
  deps: HookDeps,
  ctx: Context,
  body: Record<string, unknown>,
): Promise<void> {
  if (ctx.path === '/passkey/generate-register-options') {
    const [field] = Object.keys(ctx.query ?? {});
    if (field !== undefined) throw refusals.fieldNotAllowed(field);
    await requireRecentAuth(deps, ctx);
    await requireRoom(deps, ctx);
  } else if (ctx.path === '/passkey/verify-registration') {
    if (!isName(body.name)) throw refusals.invalidInput();
    await requireRecentAuth(deps, ctx, RECENT_AUTHENTICATION_MINUTES + CHALLENGE_MINUTES);
    await requireRoom(deps, ctx);
  } else if (ctx.path === PASSKEY_SIGN_IN) {
    await take(deps, await attemptOf(deps, ctx, body));
  }
}

/** What we do after the library's calls for passkeys. @returns an answer in place of the library's */
export async function concludePasskeyCall(deps: HookDeps, ctx: Context): Promise<unknown> {
  if (ctx.path === '/passkey/generate-authenticate-options') {
    // The library only prefers that the authenticator verifies its user. The answer of one that does not is refused.
    return ctx.json({ ...(ctx.context.returned as object), userVerification: 'required' });
  }
  if (ctx.path === '/passkey/verify-registration') {
    const session = await getSessionFromCtx(ctx);
    if (!session) return undefined;
    // As with the first code of a new app: the person has just used it.
    await recordRecentAuth(deps, session.session.id);
    await deps.onAccountChange({
      action: 'user.passkey_added',
      user: { id: session.user.id, email: session.user.email },
      after: { name: String(ctx.body.name).trim() },
    });
  } else if (ctx.path === PASSKEY_SIGN_IN) {
    await deps.throttle.clear(await attemptOf(deps, ctx, ctx.body));
    await deps.statements.query('UPDATE identity.passkey SET last_used_at = $2 WHERE credential_id = $1', [
      credentialIn(ctx.body),
      deps.now(),
    ]);
  }
  return undefined;
}

/** Attempts are counted by the passkey's user, or by the passkey's id when it is not registered. */
async function attemptOf({ statements }: HookDeps, ctx: Context, body: Record<string, unknown>) {
  const credentialId = credentialIn(body);
  const { rows } = await statements.query<{ user_id: string }>(
    'SELECT user_id FROM identity.passkey WHERE credential_id = $1',
    [credentialId],
  );
  if (rows[0]) recordAttempted({ userId: rows[0].user_id });
  return { account: passkeyAccount(rows[0]?.user_id ?? `unknown ${credentialId}`), address: addressOf(ctx) };
}

function credentialIn(body: Record<string, unknown>): string {
  const { response } = body;
  const id = typeof response === 'object' && response !== null && 'id' in response ? response.id : '';
  return typeof id === 'string' ? id : '';
}

async function requireRoom({ statements }: HookDeps, ctx: Context): Promise<void> {
  const session = await getSessionFromCtx(ctx);
  const { rows } = await statements.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM identity.passkey WHERE user_id = nullif($1, '')::uuid",
    [session?.user.id ?? ''],
  );
  if ((rows[0]?.count ?? 0) >= PASSKEYS_MAX) throw refusals.tooManyPasskeys(PASSKEYS_MAX);
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.trim().length <= NAME_LENGTH;
}
