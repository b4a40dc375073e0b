import { createHash } from 'node:crypto';
import type { Statements } from '../../db/statements.ts';
import { networkOf } from '../client-address.ts';

/** Attempts on one account from one network; after that the account is locked for that network. */
const ATTEMPTS = 10;
const WINDOW_S = 15 * 60;
/**
 * Delay that attempts from all networks together cause: a stranger can slow a person down this much at most, and never
 * locks it out.
 */
const STEP_MS = 1_000;
const LONGEST_DELAY_MS = 5_000;

export interface Attempt {
  /** The account under attempt, by e-mail address, whether or not it exists. */
  account: string;
  /** Address of the client. */
  address: string;
}

export interface SignInThrottle {
  /**
   * Counts an attempt before its password or code is checked: parallel attempts cannot slip past the count. Waits while
   * the account is under attack.
   * @returns seconds to wait, or null when the attempt may go on
   */
  take(attempt: Attempt): Promise<number | null>;
  /** Clears the failures from this network after a correct password or code. */
  clear(attempt: Attempt): Promise<void>;
}

/**
 * Counts failures in the database, for every process. The library counts by client address alone. Accounts that do not
 * exist are treated the same, so a refusal reveals nothing.
 */
export function createSignInThrottle(
  statements: Statements,
  { now, wait }: { now: () => Date; wait: (ms: number) => Promise<void> },
): SignInThrottle {
  return {
    async take(attempt) {
      const pair = pairKey(attempt);
      // Attempts during a lockout are not counted: they do not prolong it.
      const { rows } = await statements.query<{ failures: number }>(
        `INSERT INTO identity.sign_in_failure AS f (key_hash, failures, forget_at)
         VALUES ($1, 1, $2::timestamptz + make_interval(secs => $3))
         ON CONFLICT (key_hash) DO UPDATE SET
           failures = CASE WHEN f.forget_at <= $2 THEN 1 ELSE f.failures + 1 END,
           forget_at = CASE WHEN f.forget_at <= $2 OR f.failures + 1 >= $4
             THEN $2::timestamptz + make_interval(secs => $3) ELSE f.forget_at END
         WHERE f.forget_at <= $2 OR f.failures < $4
         RETURNING failures`,
        [pair, now(), WINDOW_S, ATTEMPTS],
      );
      if (!rows[0]) return secondsLeft(statements, pair, now());
      if (rows[0].failures === 1)
        await statements.query('DELETE FROM identity.sign_in_failure WHERE forget_at <= $1', [now()]);
      const delayMs = await delayOf(statements, attempt, now());
      if (delayMs > 0) await wait(delayMs);
      return null;
    },
    async clear(attempt) {
      await statements.query('DELETE FROM identity.sign_in_failure WHERE key_hash = $1', [pairKey(attempt)]);
      // The attempt was counted before it succeeded.
      const account = accountKey(attempt);
      const { rowCount } = await statements.query(
        'UPDATE identity.sign_in_failure SET failures = failures - 1 WHERE key_hash = $1 AND failures > 1',
        [account],
      );
      if (rowCount === 0)
        await statements.query('DELETE FROM identity.sign_in_failure WHERE key_hash = $1', [account]);
    },
  };
}

/** Counts the attempt on the account as a whole and returns its delay. */
async function delayOf(statements: Statements, attempt: Attempt, at: Date): Promise<number> {
  const { rows } = await statements.query<{ failures: number }>(
    `INSERT INTO identity.sign_in_failure AS f (key_hash, failures, forget_at)
     VALUES ($1, 1, $2::timestamptz + make_interval(secs => $3))
     ON CONFLICT (key_hash) DO UPDATE SET
       failures = CASE WHEN f.forget_at <= $2 THEN 1 ELSE least(f.failures + 1, 1000000) END,
       forget_at = CASE WHEN f.forget_at <= $2 THEN $2::timestamptz + make_interval(secs => $3) ELSE f.forget_at END
     RETURNING failures`,
    [accountKey(attempt), at, WINDOW_S],
  );
  return Math.min(LONGEST_DELAY_MS, Math.max(0, (rows[0]?.failures ?? 0) - ATTEMPTS) * STEP_MS);
}

async function secondsLeft(statements: Statements, key: Buffer, at: Date): Promise<number> {
  const { rows } = await statements.query<{ forget_at: Date }>(
    'SELECT forget_at FROM identity.sign_in_failure WHERE key_hash = $1',
    [key],
  );
  const until = rows[0]?.forget_at.getTime() ?? 0;
  return Math.max(1, Math.ceil((until - at.getTime()) / 1000));
}

const pairKey = ({ account, address }: Attempt) => hash(`pair ${normal(account)} ${networkOf(address)}`);
const accountKey = ({ account }: Attempt) => hash(`account ${normal(account)}`);
const normal = (account: string) => account.trim().toLowerCase();
const hash = (text: string) => createHash('sha256').update(text).digest();
