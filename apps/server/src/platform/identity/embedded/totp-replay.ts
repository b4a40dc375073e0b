import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Longer than the 90 seconds in which the library takes one code (its own period and one on either side). */
const MEMORY_S = 300;

/** Remembers an accepted code. Answers false when this user has used it before. */
export type UseTotpCode = (userId: string, code: string) => Promise<boolean>;

/** One use for every code of an authenticator app, whichever process is asked (RFC 6238, section 5.2). */
export function createUseTotpCode(pool: pg.Pool, now: () => Date): UseTotpCode {
  return async (userId, code) => {
    await pool.query('DELETE FROM identity.used_totp_code WHERE expires_at <= $1', [now()]);
    const { rowCount } = await pool.query(
      `INSERT INTO identity.used_totp_code (user_id, code_hash, expires_at)
       VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
      [userId, createHash('sha256').update(code.trim()).digest(), now(), MEMORY_S],
    );
    return rowCount === 1;
  };
}
