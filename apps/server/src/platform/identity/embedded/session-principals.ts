import type { Statements } from '../../db/statements.ts';
import { type AccessRow, flagsOf } from '../access-row.ts';
import type { AuthResult, SecondFactor } from '../identity.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { VerifiedToken } from './verify-token.ts';

/** How long the database's answer about a session may be reused (IDENTITY: at most 30 seconds). */
const MAX_AGE_MS = 30_000;
const MAX_REMEMBERED = 10_000;
/** A write for every request would be its most expensive part. */
const SEEN_WITHIN_MS = 300_000;

interface Remembered {
  result: AuthResult;
  userId: string;
  sessionId: string;
  readAtMs: number;
  sessionEndsAtMs: number;
}

export interface SessionPrincipals {
  /** The principal behind a verified token now. */
  find(token: VerifiedToken, fresh: boolean): Promise<AuthResult>;
  forgetUser(userId: string): void;
  forgetSession(sessionId: string): void;
  forgetAll(): void;
}

/** Looks up the session and the flags behind a token. Caches only valid results, and briefly. */
export function createSessionPrincipals(statements: Statements, now: () => Date): SessionPrincipals {
  const remembered = createBoundedMap<Remembered>(MAX_REMEMBERED);
  // Counts invalidations: a read that began before one must not be cached after it.
  let epoch = 0;

  return {
    async find(token, fresh) {
      const key = `${token.userId} ${token.sessionId}`;
      const known = fresh ? undefined : remembered.get(key);
      const at = now().getTime();
      if (known && at - known.readAtMs < MAX_AGE_MS && at < known.sessionEndsAtMs)
        return withFactors(known.result, token);
      const epochBefore = epoch;
      const read = await readSession(statements, token, now());
      if (read.result.ok && epoch === epochBefore) remembered.set(key, read);
      else remembered.delete(key);
      return read.result;
    },
    forgetUser(userId) {
      epoch += 1;
      remembered.deleteWhere((entry) => entry.userId === userId);
    },
    forgetSession(sessionId) {
      epoch += 1;
      remembered.deleteWhere((entry) => entry.sessionId === sessionId);
    },
    forgetAll() {
      epoch += 1;
      remembered.deleteWhere(() => true);
    },
  };
}

const factorsOf = ({ fva, issuedAt }: VerifiedToken, enrolled: readonly SecondFactor[]) => ({
  fva,
  issuedAt,
  enrolled,
  hasSecondFactor: enrolled.length > 0,
});

/** The cached session with this token's own factors: another token of the session may be older or newer. */
function withFactors(result: AuthResult, token: VerifiedToken): AuthResult {
  if (!result.ok || result.principal.kind !== 'user') return result;
  const factors = factorsOf(token, result.principal.factors.enrolled);
  return { ok: true, principal: { ...result.principal, factors } };
}

interface SessionRow extends AccessRow {
  name: string;
  email: string;
  disabled: boolean;
  enrolled: SecondFactor[];
  session_ends_at: Date | null;
  seen_at: Date | null;
}

async function readSession(statements: Statements, token: VerifiedToken, at: Date): Promise<Remembered> {
  const { rows } = await statements.query<SessionRow>({
    name: 'identity-principal',
    text: `SELECT u.name, u.email, a.admin, a.super, a.provider_ids, a.staff_roles, a.disabled_at IS NOT NULL AS disabled,
             array_remove(ARRAY[
               CASE WHEN u.two_factor_enabled THEN 'app' END,
               CASE WHEN EXISTS (SELECT FROM identity.passkey k WHERE k.user_id = u.id) THEN 'passkey' END
             ], NULL) AS enrolled, s.expires_at AS session_ends_at, seen.seen_at
           FROM identity."user" u
           JOIN identity.user_access a ON a.user_id = u.id
           LEFT JOIN identity.session s ON s.id = $2 AND s.user_id = u.id
           LEFT JOIN identity.user_seen seen ON seen.user_id = u.id
           WHERE u.id = $1`,
    values: [token.userId, token.sessionId],
  });
  const result = judge(rows[0], token, at);
  if (result.ok) await noteSeen(statements, token.userId, rows[0]?.seen_at ?? null, at);
  return {
    result,
    userId: token.userId,
    sessionId: token.sessionId,
    readAtMs: at.getTime(),
    sessionEndsAtMs: rows[0]?.session_ends_at?.getTime() ?? 0,
  };
}

async function noteSeen(
  statements: Statements,
  userId: string,
  seenAt: Date | null,
  at: Date,
): Promise<void> {
  if (seenAt && at.getTime() - seenAt.getTime() < SEEN_WITHIN_MS) return;
  await statements.query({
    name: 'identity-seen',
    text: `INSERT INTO identity.user_seen (user_id, seen_at) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET seen_at = greatest(user_seen.seen_at, excluded.seen_at)`,
    values: [userId, at],
  });
}

function judge(row: SessionRow | undefined, token: VerifiedToken, at: Date): AuthResult {
  if (row?.disabled) return { ok: false, code: 'account_disabled' };
  if (!row?.session_ends_at || row.session_ends_at <= at) return { ok: false, code: 'invalid_token' };
  return {
    ok: true,
    principal: {
      kind: 'user',
      id: token.userId,
      sessionId: token.sessionId,
      name: row.name,
      email: row.email,
      flags: flagsOf(row),
      factors: factorsOf(token, row.enrolled),
    },
  };
}
