import type { Statements } from '../../db/statements.ts';
import { type AccessRow, flagsOf } from '../access-row.ts';
import type { AuthResult } from '../identity.ts';
import {
  createPrincipalCache,
  factorsOf,
  type PrincipalCache,
  type ReadPrincipal,
} from '../principal-cache.ts';
import { recordSeen } from '../record-seen.ts';
import type { VerifiedToken } from '../verified-tokens.ts';

/** Makes a person of ours of a user of the service, as its administrators describe it. */
export type AdmitUser = (hostedId: string) => Promise<void>;

interface PersonRow extends AccessRow {
  user_id: string;
  name: string;
  email: string;
  disabled: boolean;
  has_second_factor: boolean;
  sessions_end_at: Date | null;
  is_known_session: boolean;
  session_ended: boolean;
  seen_at: Date | null;
}

/** The principals behind tokens of the hosted service. Their rights are those in our own tables. */
export function createHostedPrincipals({
  statements,
  admit,
  now,
}: {
  statements: Statements;
  admit: AdmitUser;
  now: () => Date;
}): PrincipalCache {
  return createPrincipalCache(async (token, at) => {
    let row = await findPerson(statements, token);
    if (!row) {
      await admit(token.userId);
      row = await findPerson(statements, token);
    }
    const result = row ? await judge(statements, row, token, at) : refused;
    if (row && result.ok) await recordSeen(statements, row.user_id, row.seen_at, at);
    return {
      result,
      userId: row?.user_id ?? null,
      readAtMs: at.getTime(),
      // Its end arrives as news; until then its tokens say how long it lives.
      sessionEndsAtMs: Number.POSITIVE_INFINITY,
    } satisfies ReadPrincipal;
  }, now);
}

const refused: AuthResult = { ok: false, code: 'account_not_invited' };

async function findPerson(statements: Statements, token: VerifiedToken): Promise<PersonRow | undefined> {
  const { rows } = await statements.query<PersonRow>({
    name: 'identity-hosted-principal',
    text: `SELECT h.user_id, h.sessions_end_at, u.name, u.email, coalesce(u.two_factor_enabled, false) AS has_second_factor,
             a.admin, a.super, a.provider_ids, a.staff_roles, a.disabled_at IS NOT NULL AS disabled,
             s.id IS NOT NULL AS is_known_session, s.ended_at IS NOT NULL AS session_ended, seen.seen_at
           FROM identity.hosted_user h
           JOIN identity."user" u ON u.id = h.user_id
           JOIN identity.user_access a ON a.user_id = h.user_id
           LEFT JOIN identity.hosted_session s ON s.id = $2
           LEFT JOIN identity.user_seen seen ON seen.user_id = h.user_id
           WHERE h.hosted_id = $1`,
    values: [token.userId, token.sessionId],
  });
  return rows[0];
}

async function judge(
  statements: Statements,
  row: PersonRow,
  token: VerifiedToken,
  at: Date,
): Promise<AuthResult> {
  if (row.disabled) return { ok: false, code: 'account_disabled' };
  if (row.session_ended) return { ok: false, code: 'invalid_token' };
  if (!row.is_known_session) {
    const isOver = beganBefore(token, row.sessions_end_at);
    await recordSession(statements, token, at, isOver ? at : null);
    if (isOver) return { ok: false, code: 'invalid_token' };
  }
  return {
    ok: true,
    principal: {
      kind: 'user',
      id: row.user_id,
      sessionId: token.sessionId,
      name: row.name,
      email: row.email,
      flags: flagsOf(row),
      factors: factorsOf(token, row.has_second_factor ? ['app'] : []),
    },
  };
}

/**
 * Whether the session of a token began before all sessions of its person were ended. A token gives the time
 * since the first factor in whole minutes, and its own time in whole seconds; a session that began within
 * that rounding is ended at the service instead.
 */
function beganBefore({ issuedAt, fva: [minutes] }: VerifiedToken, endedAt: Date | null): boolean {
  if (endedAt === null) return false;
  return minutes < 0 || issuedAt.getTime() + 1_000 - minutes * 60_000 <= endedAt.getTime();
}

async function recordSession(
  statements: Statements,
  token: VerifiedToken,
  at: Date,
  endedAt: Date | null,
): Promise<void> {
  await statements.query({
    name: 'identity-hosted-session',
    text: `INSERT INTO identity.hosted_session (id, hosted_id, first_seen_at, ended_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO NOTHING`,
    values: [token.sessionId, token.userId, at, endedAt],
  });
}
