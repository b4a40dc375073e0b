import { sql } from 'kysely';
import type { WriteTx } from '../db/database.ts';
import { deleteSessions } from './embedded/accounts.store.ts';
import { endHostedSessions } from './hosted/sessions.store.ts';

/** Ends every session of a user, whichever identity service has them. @returns the number of ended sessions */
export async function endSessions(tx: WriteTx, userId: string, at: Date): Promise<number> {
  return (await deleteSessions(tx, userId)) + (await endHostedSessions(tx, userId, at));
}

/** Ends every session of everyone here, as after a restore: some of them had ended since the backup. */
export async function endEverySession(tx: WriteTx, at: Date): Promise<number> {
  const { numAffectedRows: own = 0n } = await sql`DELETE FROM identity.session`.execute(tx.sql);
  const { numAffectedRows: hosted = 0n } = await sql`
    UPDATE identity.hosted_session SET ended_at = ${at} WHERE ended_at IS NULL`.execute(tx.sql);
  return Number(own + hosted);
}
