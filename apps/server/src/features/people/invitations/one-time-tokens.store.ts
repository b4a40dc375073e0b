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
  const invitedById = tx.actor.kind === 'user' ? tx.actor.id : null;
  await sql`INSERT INTO identity.invitation (token_hash, user_id, invited_by_id, expires_at, created_at)
    VALUES (${invitation.tokenHash}, ${invitation.userId}, ${invitedById}, ${invitation.expiresAt}, ${at})`.execute(
    tx.sql,
  );
}

/** How many invitations a user got since then, used or not. */
export async function countInvitations(tx: Tx, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`SELECT count(*)::int AS made FROM identity.invitation
    WHERE user_id = ${userId} AND created_at > ${since}`.execute(tx.sql);
  return rows[0]?.made ?? 0;
}

/** Records that the inviter has seen the link. */
export async function recordShown(tx: WriteTx, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`UPDATE identity.invitation SET shown_at = ${at} WHERE token_hash = ${tokenHash}`.execute(tx.sql);
}

/** Ends the invitations that a person made, who may not invite any more. @returns how many were open */
export async function endInvitationsBy(tx: WriteTx, inviterId: string, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`UPDATE identity.invitation SET used_at = ${at}
    WHERE invited_by_id = ${inviterId} AND used_at IS NULL AND expires_at > ${at}`.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

/** The inviter of an invitation `i` is still an active super admin: one who accepted, and was not disabled or demoted. */
const inviterStays = sql`(i.invited_by_id IS NULL OR EXISTS (SELECT FROM identity.user_access a
  WHERE a.user_id = i.invited_by_id AND a.super AND a.disabled_at IS NULL AND a.accepted_at IS NOT NULL))`;

/** Uses up the invitations of a user, and ends its open password resets and sign-ins. */
export async function endOpenLinks(tx: WriteTx, userId: string, at: Date): Promise<void> {
  await sql`UPDATE identity.invitation SET used_at = ${at} WHERE user_id = ${userId} AND used_at IS NULL`.execute(
    tx.sql,
  );
  await endVerifications(tx, userId);
}

/** Uses the open invitation of a user. @returns false: there is none */
export async function claimInvitationOf(tx: WriteTx, userId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`UPDATE identity.invitation i SET used_at = ${at}
    WHERE i.user_id = ${userId} AND i.used_at IS NULL AND i.expires_at > ${at} AND ${inviterStays}
    RETURNING i.user_id`.execute(tx.sql);
  return rows.length > 0;
}

/** @returns the invited user, or null when no such invitation is open */
export async function claimInvitation(
  tx: WriteTx,
  tokenHash: Buffer,
  at: Date,
): Promise<{ userId: string; wasShown: boolean } | null> {
  const { rows } = await sql<{ userId: string; wasShown: boolean }>`
    UPDATE identity.invitation i SET used_at = ${at}
    WHERE i.token_hash = ${tokenHash} AND i.used_at IS NULL AND i.expires_at > ${at} AND ${inviterStays}
    RETURNING i.user_id AS "userId", i.shown_at IS NOT NULL AS "wasShown"`.execute(tx.sql);
  return rows[0] ?? null;
}

/** The address of the person of an open invitation; null: none is open. */
export async function findInvited(tx: Tx, tokenHash: Buffer, at: Date): Promise<{ email: string } | null> {
  const { rows } = await sql<{ email: string }>`SELECT p.email FROM identity.invitation i
    JOIN identity.person p ON p.id = i.user_id
    WHERE i.token_hash = ${tokenHash} AND i.used_at IS NULL AND i.expires_at > ${at}
      AND ${inviterStays}`.execute(tx.sql);
  return rows[0] ?? null;
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
