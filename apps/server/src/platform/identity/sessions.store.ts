import type { Tx, WriteTx } from '../db/database.ts';
import { deleteSessions, type ListedSession, listEmbeddedSessions } from './embedded/accounts.store.ts';
import { endHostedSessions, listHostedSessions } from './hosted/sessions.store.ts';

/** Ends every session of a user, whichever identity service has them. @returns the number of ended sessions */
export async function endSessions(tx: WriteTx, userId: string, at: Date): Promise<number> {
  return (await deleteSessions(tx, userId)) + (await endHostedSessions(tx, userId, at));
}

/** The open sessions of a user, newest first. @param ownId the session that `is_own` */
export async function listSessions(tx: Tx, userId: string, ownId: string): Promise<ListedSession[]> {
  return [
    ...(await listEmbeddedSessions(tx, userId, ownId)),
    ...(await listHostedSessions(tx, userId, ownId)),
  ];
}
