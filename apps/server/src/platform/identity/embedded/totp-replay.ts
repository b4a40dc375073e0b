import { createHash } from 'node:crypto';
import type { Statements } from '../../db/statements.ts';

/** Longer than the 90 seconds in which the library accepts a code (its own period and one on either side). */
const MEMORY_S = 300;

/** Allows one use of every code of an authenticator app, across processes (RFC 6238, section 5.2). */
export interface UsedCodes {
  /** Records an accepted code. Returns false when this user has used it before. */
  use(userId: string, code: string): Promise<boolean>;
  isUsed(userId: string, code: string): Promise<boolean>;
}

export function createUsedCodes(statements: Statements, now: () => Date): UsedCodes {
  return {
    async use(userId, code) {
      await statements.query('DELETE FROM identity.used_totp_code WHERE expires_at <= $1', [now()]);
      const { rowCount } = await statements.query(
        `INSERT INTO identity.used_totp_code (user_id, code_hash, expires_at)
         VALUES ($1, $2, $3::timestamptz + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
        [userId, hash(code), now(), MEMORY_S],
      );
      return rowCount === 1;
    },
    async isUsed(userId, code) {
      const { rowCount } = await statements.query(
        'SELECT FROM identity.used_totp_code WHERE user_id = $1 AND code_hash = $2 AND expires_at > $3',
        [userId, hash(code), now()],
      );
      return rowCount === 1;
    },
  };
}

const hash = (code: string) => createHash('sha256').update(code.trim()).digest();
