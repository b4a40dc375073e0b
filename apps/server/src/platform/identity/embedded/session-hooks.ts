import type { BetterAuthOptions } from 'better-auth';
import type pg from 'pg';
import { refusals } from './auth-refusals.ts';
import type { UsedCodes } from './totp-replay.ts';

/** Where a session is made because a second factor was right. */
const SECOND_FACTOR = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

export interface SessionHookDeps {
  pool: pg.Pool;
  usedCodes: UsedCodes;
  now: () => Date;
  /** Longest life of a session, "remember me" or not: the library gives a day to those who are not remembered. */
  maxSessionS: number;
  onSessionEnded: (sessionId: string) => void;
}

/** Our checks where the library makes a session, on whatever path it came there, and where it ends one. */
export function createSessionHooks(deps: SessionHookDeps): NonNullable<BetterAuthOptions['databaseHooks']> {
  return {
    session: {
      create: {
        async before(session, context) {
          if (await isDisabled(deps.pool, session.userId)) throw refusals.accountDisabled();
          if (context?.path === '/two-factor/verify-totp') {
            const isNew = await deps.usedCodes.use(session.userId, String(context.body?.code));
            // With a session at hand this is the first code of a new authenticator: it only has to be remembered.
            const isEnrolling = Boolean(context.context.session);
            if (!isNew && !isEnrolling) throw refusals.codeUsed();
          }
          const latest = Date.now() + deps.maxSessionS * 1000;
          const expiresAt = new Date(Math.min(session.expiresAt.getTime(), latest));
          return { data: { ...session, expiresAt, ...(await factorsOf(deps, context)) } };
        },
      },
      delete: {
        async after(session) {
          deps.onSessionEnded(session.id);
        },
      },
    },
  };
}

/**
 * A session begins with a password, and at sign-in perhaps with a second factor. One that takes another one's place goes
 * on from what its person had proven, plus what this call has asked for.
 */
async function factorsOf({ pool, now }: SessionHookDeps, context: HookContext) {
  const hasProvenSecond = SECOND_FACTOR.has(context?.path ?? '');
  const sessionId = context?.context.session?.session.id;
  const { rows } = await pool.query<{ authenticatedAt: Date; secondFactorAt: Date | null }>(
    `SELECT authenticated_at AS "authenticatedAt", second_factor_at AS "secondFactorAt"
     FROM identity.session WHERE id::text = $1`,
    [sessionId ?? ''],
  );
  const earlier = rows[0];
  return {
    authenticatedAt: hasProvenSecond ? (earlier?.authenticatedAt ?? now()) : now(),
    secondFactorAt: hasProvenSecond ? now() : (earlier?.secondFactorAt ?? null),
  };
}

type HookContext =
  | { path?: string; context: { session?: { session: { id: string } } | null } }
  | null
  | undefined;

/** A user without a record of access was not made by us and gets nothing. */
async function isDisabled(pool: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await pool.query<{ disabled: boolean }>(
    'SELECT disabled_at IS NOT NULL AS disabled FROM identity.user_access WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.disabled ?? true;
}
