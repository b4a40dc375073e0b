import type { Statements } from '../../../db/statements.ts';
import { type AccessRow, flagsOf } from '../../access-row.ts';
import type { AuthResult, SecondFactor } from '../../identity.ts';
import {
  createPrincipalCache,
  factorsOf,
  type PrincipalCache,
  type ReadPrincipal,
} from '../../principal-cache.ts';
import { recordSeen } from '../../record-seen.ts';
import type { VerifiedToken } from '../../verified-tokens.ts';

/** The principals of our own sessions. */
export const createSessionPrincipals = (statements: Statements, now: () => Date): PrincipalCache =>
  createPrincipalCache((token, at) => readSession(statements, token, at), now);

interface SessionRow extends AccessRow {
  name: string;
  email: string;
  disabled: boolean;
  enrolled: SecondFactor[];
  session_ends_at: Date | null;
  seen_at: Date | null;
}

async function readSession(statements: Statements, token: VerifiedToken, at: Date): Promise<ReadPrincipal> {
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
  if (result.ok) await recordSeen(statements, token.userId, rows[0]?.seen_at ?? null, at);
  return {
    result,
    userId: token.userId,
    readAtMs: at.getTime(),
    sessionEndsAtMs: rows[0]?.session_ends_at?.getTime() ?? 0,
  };
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
