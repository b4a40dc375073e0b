import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { endVerifications } from '../../../platform/identity/embedded/accounts.store.ts';

// Invitations and set-up tokens: each is stored only as a hash, expires, and is claimed by one statement that requires
// it unused. Of concurrent claims one wins; the others wait for it and find none.

export async function insertInvitation(
  tx: WriteTx,
  invitation: { tokenHash: Buffer; userId: string; expiresAt: Date },
  at: Date,
): Promise<void> {
  await sql`UPDATE identity.invitation SET used_at = ${at}
    WHERE user_id = ${invitation.userId} AND used_at IS NULL`.execute(tx.sql);
  await sql`INSERT INTO identity.invitation (token_hash, user_id, expires_at, created_at)
    VALUES (${invitation.tokenHash}, ${invitation.userId}, ${invitation.expiresAt}, ${at})`.execute(tx.sql);
}

/** Uses up the invitations of a user, and ends its open password resets and sign-ins. */
export async function endOpenLinks(tx: WriteTx, userId: string, at: Date): Promise<void> {
  await sql`UPDATE identity.invitation SET used_at = ${at} WHERE user_id = ${userId} AND used_at IS NULL`.execute(
    tx.sql,
  );
  await endVerifications(tx, userId);
}

/** Uses the open invitation of a user. @returns false: there is none */
export async function claimInvitationOf(tx: WriteTx, userId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`UPDATE identity.invitation SET used_at = ${at}
    WHERE user_id = ${userId} AND used_at IS NULL AND expires_at > ${at}
    RETURNING user_id`.execute(tx.sql);
  return rows.length > 0;
}

/** @returns the id of the invited user, or null when no such invitation is open */
export async function claimInvitation(tx: WriteTx, tokenHash: Buffer, at: Date): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`UPDATE identity.invitation SET used_at = ${at}
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${at}
    RETURNING user_id`.execute(tx.sql);
  return rows[0]?.user_id ?? null;
}

export async function isInvitationOpen(tx: Tx, tokenHash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM identity.invitation
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${at}`.execute(tx.sql);
  return rows.length > 0;
}

export async function insertSetupToken(
  tx: WriteTx,
  tokenHash: Buffer,
  expiresAt: Date,
  at: Date,
): Promise<void> {
  await sql`INSERT INTO identity.setup_token (token_hash, expires_at, created_at)
    VALUES (${tokenHash}, ${expiresAt}, ${at})`.execute(tx.sql);
}

export async function claimSetupToken(tx: WriteTx, tokenHash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql`UPDATE identity.setup_token SET used_at = ${at}
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${at}
    RETURNING token_hash`.execute(tx.sql);
  return rows.length > 0;
}

export async function isSetupTokenOpen(tx: Tx, tokenHash: Buffer, at: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM identity.setup_token
    WHERE token_hash = ${tokenHash} AND used_at IS NULL AND expires_at > ${at}`.execute(tx.sql);
  return rows.length > 0;
}
