import type pg from 'pg';

/** Revokes everything that could let a user choose a password or sign in: sent links and unfinished sign-ins. */
export async function forgetVerifications(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('DELETE FROM identity.verification WHERE value = $1', [userId]);
}
