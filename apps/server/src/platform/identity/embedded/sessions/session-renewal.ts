import { SESSION_IDLE_MINUTES, sessionEnd } from '@copydesk/domain/access';
import { getSessionFromCtx } from 'better-auth/api';
import type { Statements } from '../../../db/statements.ts';
import { refusals } from '../auth-refusals.ts';
import type { Context } from '../hook-context.ts';

/** Seconds since the last key, click or touch in any tab of a browser. */
const LAST_INPUT_HEADER = 'x-last-input';

interface RenewalDeps {
  statements: Statements;
  now: () => Date;
  /** Longest life of a session. */
  maxSessionS: number;
}

/**
 * Prolongs a session with each new access token, up to two hours after the last input. A tab without input does not
 * shorten what another one has prolonged.
 * @throws a refusal when the session has ended
 */
export async function renewSession(
  { statements, now, maxSessionS }: RenewalDeps,
  ctx: Context,
): Promise<void> {
  const session = await getSessionFromCtx(ctx);
  if (!session) return; // the library answers this case
  const { rows } = await statements.query<{ endsAt: Date; expiresAt: Date }>(
    `SELECT coalesce(ends_at, created_at + make_interval(secs => $2)) AS "endsAt", expires_at AS "expiresAt"
     FROM identity.session WHERE id = $1`,
    [session.session.id, maxSessionS],
  );
  const [row] = rows;
  if (!row || row.expiresAt <= now() || row.endsAt <= now()) throw refusals.sessionEnded();
  const until = sessionEnd(row.endsAt, now(), lastInputMs(ctx));
  await statements.query(
    'UPDATE identity.session SET expires_at = least($3::timestamptz, greatest(expires_at, $2)) WHERE id = $1',
    [session.session.id, until, row.endsAt],
  );
}

/** The session begins again: its person has just authenticated. */
export async function restartSession(
  { statements, now, maxSessionS }: RenewalDeps,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<void> {
  await statements.query(
    `UPDATE identity.session SET ends_at = $3::timestamptz + make_interval(secs => $4),
       expires_at = $3::timestamptz + make_interval(secs => least($4, $5))
     WHERE id = $1 AND user_id = $2`,
    [sessionId, userId, now(), maxSessionS, SESSION_IDLE_MINUTES * 60],
  );
}

function lastInputMs(ctx: Context): number | undefined {
  const seconds = ctx.headers?.get(LAST_INPUT_HEADER) ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
