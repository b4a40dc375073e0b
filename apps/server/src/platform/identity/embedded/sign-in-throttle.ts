import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Attempts that an account gets before it has to wait. */
const FREE_ATTEMPTS = 10;
const WINDOW_S = 15 * 60;
const FIRST_DELAY_S = 30;
const LONGEST_DELAY_S = 15 * 60;
/** An account under attack is remembered for a day, so that waiting out one window earns no fresh attempts. */
const MEMORY_S = 24 * 3600;

export interface SignInThrottle {
  /**
   * Takes one attempt on an account, before its password is looked at: attempts made at the same time cannot
   * slip past the count together.
   * @returns seconds to wait, or null when the attempt may go on
   */
  take(email: string): Promise<number | null>;
  /** Forgets the failures of an account whose password was right. */
  clear(email: string): Promise<void>;
}

/**
 * Counts sign-ins by account, from whatever address they come: the library counts by address only. An address
 * that nobody has is treated the same, so nothing is learned from being refused.
 */
export function createSignInThrottle(pool: pg.Pool, now: () => Date): SignInThrottle {
  return {
    async take(email) {
      const account = hashAccount(email);
      // The delay doubles with every attempt beyond the free ones. A blocked account's row is left as it is, so
      // that hammering on it does not prolong the block.
      const { rows } = await pool.query<{ failures: number }>(
        `INSERT INTO identity.sign_in_failure AS f (account_hash, failures, forget_at)
         VALUES ($1, 1, $2::timestamptz + make_interval(secs => $3))
         ON CONFLICT (account_hash) DO UPDATE SET
           failures = CASE WHEN f.forget_at <= $2 THEN 1 ELSE f.failures + 1 END,
           blocked_until = CASE WHEN f.forget_at > $2 AND f.failures + 1 >= $4
             THEN $2::timestamptz + make_interval(secs =>
               least($6, $5 * power(2, least(f.failures + 1 - $4, 20)))) END,
           forget_at = $2::timestamptz + make_interval(secs =>
             CASE WHEN f.forget_at > $2 AND f.failures + 1 >= $4 THEN $7 ELSE $3 END)
         WHERE f.blocked_until IS NULL OR f.blocked_until <= $2
         RETURNING failures`,
        [account, now(), WINDOW_S, FREE_ATTEMPTS, FIRST_DELAY_S, LONGEST_DELAY_S, MEMORY_S],
      );
      if (rows[0]?.failures === 1)
        await pool.query('DELETE FROM identity.sign_in_failure WHERE forget_at <= $1', [now()]);
      return rows[0] ? null : secondsLeft(pool, account, now());
    },
    async clear(email) {
      await pool.query('DELETE FROM identity.sign_in_failure WHERE account_hash = $1', [hashAccount(email)]);
    },
  };
}

async function secondsLeft(pool: pg.Pool, account: Buffer, at: Date): Promise<number> {
  const { rows } = await pool.query<{ blocked_until: Date | null }>(
    'SELECT blocked_until FROM identity.sign_in_failure WHERE account_hash = $1',
    [account],
  );
  const until = rows[0]?.blocked_until?.getTime() ?? 0;
  return Math.max(1, Math.ceil((until - at.getTime()) / 1000));
}

function hashAccount(email: string): Buffer {
  return createHash('sha256').update(email.trim().toLowerCase()).digest();
}
