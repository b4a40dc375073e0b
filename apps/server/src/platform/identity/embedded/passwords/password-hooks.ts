import { getSessionFromCtx } from 'better-auth/api';
import { verificationIdentifier } from '../../verification-identifier.ts';
import { refusals } from '../auth-refusals.ts';
import type { Context, HookDeps } from '../hook-context.ts';
import { typedAddress } from '../library-address.ts';
import { findPasswordProblem, PASSWORD_PROBLEMS } from './password-policy.ts';

const SETS_PASSWORD = new Set(['/change-password', '/reset-password']);

/** @throws a refusal when a new password is too weak */
export async function checkNewPassword(
  deps: HookDeps,
  ctx: Context,
  { newPassword, token }: Record<string, unknown>,
): Promise<void> {
  if (!SETS_PASSWORD.has(ctx.path) || typeof newPassword !== 'string') return;
  const own =
    ctx.path === '/change-password'
      ? (await getSessionFromCtx(ctx))?.user
      : await findByResetToken(deps, String(token ?? ctx.query?.token ?? ''));
  if (!own) return; // the library answers this case
  const problem = await findPasswordProblem(newPassword, own);
  if (problem) throw refusals.weakPassword(PASSWORD_PROBLEMS[problem]);
}

async function findByResetToken({ statements }: HookDeps, token: string) {
  const { rows } = await statements.query<{ email: string; name: string }>(
    `SELECT u.email, u.name FROM identity.verification v JOIN identity."user" u ON u.id::text = v.value
     WHERE v.identifier = $1`,
    [verificationIdentifier('reset-password', token)],
  );
  return rows[0];
}

/** After a correct password: replaces a hash of an earlier kind, unless the password was changed meanwhile. */
export async function renewHash({ statements, passwordHashes }: HookDeps, ctx: Context): Promise<void> {
  const { rows } = await statements.query<{ userId: string; hash: string }>(
    `SELECT c.user_id AS "userId", c.password AS hash FROM identity.account c JOIN identity."user" u ON u.id = c.user_id
     WHERE u.email = $1 AND c.provider_id = 'credential' AND c.password IS NOT NULL`,
    [typedAddress(ctx.path, ctx.body) ?? ''],
  );
  const [known] = rows;
  if (!known || !passwordHashes.isOutdated(known.hash)) return;
  await statements.query(
    `UPDATE identity.account SET password = $3 WHERE user_id = $1 AND provider_id = 'credential' AND password = $2`,
    [known.userId, known.hash, await passwordHashes.hash(String(ctx.body.password))],
  );
}
