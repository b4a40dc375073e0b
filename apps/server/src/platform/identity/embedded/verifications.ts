import type { Statements } from '../../db/statements.ts';

/** Revokes everything that could let a user choose a password or sign in: sent links and unfinished sign-ins. */
export async function forgetVerifications(statements: Statements, userId: string): Promise<void> {
  await statements.query('DELETE FROM identity.verification WHERE value = $1', [userId]);
}
