import type { WriteTx } from '../db/database.ts';
import { deleteSessions } from './embedded/accounts.store.ts';
import { endHostedSessions } from './hosted/sessions.store.ts';

/** Ends every session of a user, whichever identity service has them. @returns the number of ended sessions */
export async function endSessions(tx: WriteTx, userId: string, at: Date): Promise<number> {
  return (await deleteSessions(tx, userId)) + (await endHostedSessions(tx, userId, at));
}
