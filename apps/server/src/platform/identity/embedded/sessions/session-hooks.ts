import { sessionEnd } from '@copydesk/domain/access';
import type { BetterAuthOptions } from 'better-auth';
import type { Statements } from '../../../db/statements.ts';
import { refusals } from '../auth-refusals.ts';
import { PASSKEY_SIGN_IN } from '../passkeys/passkey-hooks.ts';
import type { UsedCodes } from '../second-factor/second-factor.ts';

/** Calls that start a session after a correct second factor. */
const SECOND_FACTOR = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

export interface SessionHookDeps {
  statements: Statements;
  usedCodes: UsedCodes;
  now: () => Date;
  /** Longest life of a session. The library's own is that of its cookie. */
  maxSessionS: number;
  onSessionEnded: (sessionId: string) => void;
}

/** Our checks where the library starts a session, on any path, and where it ends one. */
export function createSessionHooks(deps: SessionHookDeps): NonNullable<BetterAuthOptions['databaseHooks']> {
  return {
    session: {
      create: {
        async before(session, context) {
          if (await isDisabled(deps.statements, session.userId)) throw refusals.accountDisabled();
          if (context?.path === '/sign-in/email' && (await needsPasskey(deps.statements, session.userId)))
            throw refusals.passkeyRequired();
          if (context?.path === '/two-factor/verify-totp') {
            const isNew = await deps.usedCodes.use(session.userId, String(context.body?.code));
            // With an existing session this is the first code of a new authenticator: it is only recorded as used.
            const isEnrolling = Boolean(context.context.session);
            if (!isNew && !isEnrolling) throw refusals.codeUsed();
          }
          const endsAt = new Date(deps.now().getTime() + deps.maxSessionS * 1000);
          const expiresAt = sessionEnd(endsAt, deps.now());
          return { data: { ...session, expiresAt, endsAt, ...(await factorsOf(deps, context)) } };
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
 * A session begins with a password, and at sign-in perhaps with a second factor, or with a passkey, which is both. A
 * session that replaces another inherits its factors, plus those checked by this call.
 */
async function factorsOf({ statements, now }: SessionHookDeps, context: HookContext) {
  if (context?.path === PASSKEY_SIGN_IN) return { authenticatedAt: now(), secondFactorAt: now() };
  const hasProvenSecond = SECOND_FACTOR.has(context?.path ?? '');
  const sessionId = context?.context.session?.session.id;
  const { rows } = await statements.query<{ authenticatedAt: Date; secondFactorAt: Date | null }>(
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

/** Accounts with an authenticator app are asked for its code afterwards. */
async function needsPasskey(statements: Statements, userId: string): Promise<boolean> {
  const { rowCount } = await statements.query(
    `SELECT FROM identity."user" u JOIN identity.passkey k ON k.user_id = u.id
     WHERE u.id = $1 AND u.two_factor_enabled IS NOT TRUE LIMIT 1`,
    [userId],
  );
  return rowCount === 1;
}

/** A user without an access record was not created by us and is refused. */
async function isDisabled(statements: Statements, userId: string): Promise<boolean> {
  const { rows } = await statements.query<{ disabled: boolean }>(
    'SELECT disabled_at IS NOT NULL AS disabled FROM identity.user_access WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.disabled ?? true;
}
