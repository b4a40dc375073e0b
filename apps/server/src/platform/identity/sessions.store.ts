import { sql } from 'kysely';
import type { Tx, WriteTx } from '../db/database.ts';
import { deleteSessions, type ListedSession, listEmbeddedSessions } from './embedded/accounts.store.ts';
import { endHostedSessions, listHostedSessions } from './hosted/sessions.store.ts';

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

/** The open sessions of a user, newest first. @param ownId the session that `is_own` */
export async function listSessions(tx: Tx, userId: string, ownId: string): Promise<ListedSession[]> {
  return [
    ...(await listEmbeddedSessions(tx, userId, ownId)),
    ...(await listHostedSessions(tx, userId, ownId)),
  ];
}
