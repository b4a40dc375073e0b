import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';

/** `reset`: removed the second factor. */
export type SponsorAct = 'invited' | 'promoted' | 'reset';

/** Records the caller as the sponsor of a user. An operator of the server is not a sponsor. */
export async function sponsorUser(tx: WriteTx, userId: string, act: SponsorAct, at: Date): Promise<void> {
  if (tx.actor.kind !== 'user') return;
  await sql`INSERT INTO identity.user_sponsor (user_id, sponsor_id, act, at)
    VALUES (${userId}, ${tx.actor.id}, ${act}, ${at})`.execute(tx.sql);
}

/** Ends a confirmation: whether the account still belongs to the same person has to be confirmed again. */
export async function endConfirmation(tx: WriteTx, userId: string, at: Date): Promise<void> {
  await sql`UPDATE identity.user_access
    SET confirmed_at = NULL, confirmed_by_id = NULL, updated_at = ${at} WHERE user_id = ${userId}`.execute(
    tx.sql,
  );
}

/** Confirms a super admin in the name of a user; null: the server's operator. */
export async function setConfirmed(
  tx: WriteTx,
  userId: string,
  confirmedById: string | null,
  at: Date,
): Promise<void> {
  await sql`UPDATE identity.user_access
    SET confirmed_at = ${at}, confirmed_by_id = ${confirmedById}, updated_at = ${at}
    WHERE user_id = ${userId} AND super`.execute(tx.sql);
}
