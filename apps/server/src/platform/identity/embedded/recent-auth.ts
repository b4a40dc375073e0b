import { RECENT_AUTHENTICATION_MINUTES } from '@copydesk/domain/access';
import { getSessionFromCtx } from 'better-auth/api';
import { refusals } from './auth-refusals.ts';
import type { Context, HookDeps } from './hook-context.ts';

interface ProofRow {
  authenticated_at: Date;
  second_factor_at: Date | null;
  has_second_factor: boolean;
}

/**
 * Requires for a call of the library what the gate requires for one of ours: the strongest factor of the account, given
 * within some minutes in this session.
 * @throws a refusal, also without a session
 */
export async function requireRecentAuth(
  { statements, now }: HookDeps,
  ctx: Context,
  minutes = RECENT_AUTHENTICATION_MINUTES,
): Promise<void> {
  const session = await getSessionFromCtx(ctx);
  const { rows } = await statements.query<ProofRow>(
    `SELECT s.authenticated_at, s.second_factor_at,
       coalesce(u.two_factor_enabled, false)
         OR EXISTS (SELECT FROM identity.passkey k WHERE k.user_id = u.id) AS has_second_factor
     FROM identity.session s JOIN identity."user" u ON u.id = s.user_id WHERE s.id = nullif($1, '')::uuid`,
    [session?.session.id ?? ''],
  );
  const [row] = rows;
  const provenAt = row?.has_second_factor ? row.second_factor_at : row?.authenticated_at;
  if (!provenAt || now().getTime() - provenAt.getTime() > minutes * 60_000) throw refusals.proofRequired();
}
