import type { BetterAuthOptions } from 'better-auth';
import type pg from 'pg';
import { refusals } from './auth-refusals.ts';
import type { UseTotpCode } from './totp-replay.ts';

export interface SessionHookDeps {
  pool: pg.Pool;
  useTotpCode: UseTotpCode;
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
            const isNew = await deps.useTotpCode(session.userId, String(context.body?.code));
            // With a session at hand this is the first code of a new authenticator: it only has to be remembered.
            const isEnrolling = Boolean(context.context.session);
            if (!isNew && !isEnrolling) throw refusals.codeUsed();
          }
          const latest = Date.now() + deps.maxSessionS * 1000;
          return { data: { ...session, expiresAt: new Date(Math.min(session.expiresAt.getTime(), latest)) } };
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

/** A user without a record of access was not made by us and gets nothing. */
async function isDisabled(pool: pg.Pool, userId: string): Promise<boolean> {
  const { rows } = await pool.query<{ disabled: boolean }>(
    'SELECT disabled_at IS NOT NULL AS disabled FROM identity.user_access WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.disabled ?? true;
}
