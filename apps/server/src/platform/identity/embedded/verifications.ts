import type pg from 'pg';

/** Ends whatever a user was sent, or has begun, by which it could choose a password or sign in. */
export async function forgetVerifications(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('DELETE FROM identity.verification WHERE value = $1', [userId]);
}
