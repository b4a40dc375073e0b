import type { Statements } from '../../../db/statements.ts';

interface Claims {
  /** The session's id. Permissions are looked up, never read from a token. */
  sid: string;
  /** Minutes since the first and since the second factor, rounded up; -1: never in this session. */
  fva: [number, number];
  iat: number;
  /** The latest end of the session, in seconds since 1970. */
  end: number;
}

/** The claims of an access token, from the session's present state in the database. */
export async function readTokenClaims(statements: Statements, sessionId: string, at: Date): Promise<Claims> {
  const { rows } = await statements.query<{
    authenticated_at: Date;
    second_factor_at: Date | null;
    ends_at: Date;
  }>(
    `SELECT authenticated_at, second_factor_at, coalesce(ends_at, expires_at) AS ends_at
     FROM identity.session WHERE id = $1`,
    [sessionId],
  );
  const minutesSince = (moment: Date | null | undefined) =>
    moment ? Math.max(0, Math.ceil((at.getTime() - moment.getTime()) / 60_000)) : -1;
  return {
    sid: sessionId,
    fva: [minutesSince(rows[0]?.authenticated_at), minutesSince(rows[0]?.second_factor_at)],
    iat: Math.floor(at.getTime() / 1000),
    end: Math.floor((rows[0]?.ends_at ?? at).getTime() / 1000),
  };
}
