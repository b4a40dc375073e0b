import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../db/database.ts';
import { verificationIdentifier } from '../verification-identifier.ts';

// Writes to the library's tables within the transaction of a change of ours, so that both happen or neither does.

export interface NewAccount {
  id: string;
  email: string;
  name: string;
}

/** An account without a password, which cannot sign in yet. */
export async function insertAccount(tx: WriteTx, { id, email, name }: NewAccount, at: Date): Promise<void> {
  await sql`INSERT INTO identity."user" (id, name, email, email_verified, created_at, updated_at, two_factor_enabled)
    VALUES (${id}, ${name}, ${email}, false, ${at}, ${at}, false)`.execute(tx.sql);
}

/** Lets an account sign in with a password, under the chosen name. */
export async function activateAccount(
  tx: WriteTx,
  { id, name, passwordHash }: { id: string; name: string; passwordHash: string },
  at: Date,
): Promise<void> {
  await sql`UPDATE identity."user" SET name = ${name}, email_verified = true, updated_at = ${at}
    WHERE id = ${id}`.execute(tx.sql);
  await sql`INSERT INTO identity.account (user_id, account_id, provider_id, password, created_at, updated_at)
    VALUES (${id}, ${id}, 'credential', ${passwordHash}, ${at}, ${at})
    ON CONFLICT (user_id, provider_id) DO UPDATE SET password = excluded.password, updated_at = excluded.updated_at`.execute(
    tx.sql,
  );
}

/** Removes a password: the account signs in with another service from now on. */
export async function endPassword(tx: WriteTx, userId: string, at: Date): Promise<void> {
  await sql`UPDATE identity.account SET password = NULL, updated_at = ${at} WHERE user_id = ${userId}`.execute(
    tx.sql,
  );
}

/** @returns the number of ended sessions */
export async function deleteSessions(tx: WriteTx, userId: string): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM identity.session WHERE user_id = ${userId}`.execute(
    tx.sql,
  );
  return Number(numAffectedRows ?? 0);
}

/** @returns 1, or 0 when the user has no such session */
export async function endSession(tx: WriteTx, userId: string, sessionId: string): Promise<number> {
  const { numAffectedRows } =
    await sql`DELETE FROM identity.session WHERE user_id = ${userId} AND id = ${sessionId}`.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

/** Ends every session of a user but one. @returns the number of ended sessions */
export async function endSessionsBut(tx: WriteTx, userId: string, keptId: string): Promise<number> {
  const { numAffectedRows } =
    await sql`DELETE FROM identity.session WHERE user_id = ${userId} AND id::text <> ${keptId}`.execute(
      tx.sql,
    );
  return Number(numAffectedRows ?? 0);
}

export interface ListedSession {
  id: string;
  /** ISO times. When it ends is null where the identity service decides. */
  started_at: string;
  expires_at: string | null;
  address: string | null;
  browser: string | null;
  is_own: boolean;
}

/** The valid sessions of a user, newest first. @param ownId the session that `is_own` */
export async function listEmbeddedSessions(tx: Tx, userId: string, ownId: string): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    SELECT s.id, app.iso(s.created_at) AS started_at, app.iso(s.expires_at) AS expires_at, s.ip_address AS address,
      s.user_agent AS browser, s.id::text = ${ownId} AS is_own
    FROM identity.session s WHERE s.user_id = ${userId}::uuid AND s.expires_at > now()
    ORDER BY s.created_at DESC, s.id LIMIT 100`.execute(tx.sql);
  return rows;
}

/** Ends open password resets and unfinished sign-ins. */
export async function endVerifications(tx: WriteTx, userId: string): Promise<void> {
  await sql`DELETE FROM identity.verification WHERE value = ${userId}::text`.execute(tx.sql);
}

/** Lets the holder of a token choose a new password until it expires, on the library's page for a reset by mail. */
export async function insertPasswordReset(
  tx: WriteTx,
  { userId, token, expiresAt }: { userId: string; token: string; expiresAt: Date },
  at: Date,
): Promise<void> {
  await sql`INSERT INTO identity.verification (identifier, value, expires_at, created_at, updated_at)
    VALUES (${verificationIdentifier('reset-password', token)}, ${userId}, ${expiresAt}, ${at}, ${at})`.execute(
    tx.sql,
  );
}

/**
 * The account that may choose a new password with a token; null: the token expired, was used, or never
 * existed.
 */
export async function findResetting(tx: Tx, token: string, at: Date): Promise<{ email: string } | null> {
  const { rows } = await sql<{ email: string }>`
    SELECT u.email FROM identity.verification v JOIN identity."user" u ON u.id::text = v.value
    WHERE v.identifier = ${verificationIdentifier('reset-password', token)} AND v.expires_at > ${at}`.execute(
    tx.sql,
  );
  return rows[0] ?? null;
}

/** Removes the authenticator app with its backup codes, and all passkeys. */
export async function deleteSecondFactor(tx: WriteTx, userId: string, at: Date): Promise<void> {
  await sql`DELETE FROM identity.two_factor WHERE user_id = ${userId}`.execute(tx.sql);
  await sql`DELETE FROM identity.passkey WHERE user_id = ${userId}`.execute(tx.sql);
  await sql`UPDATE identity."user" SET two_factor_enabled = false, updated_at = ${at}
    WHERE id = ${userId}`.execute(tx.sql);
}

/**
 * Deletes expired rows: sessions, one-time secrets, used codes, old failures.
 * @param limit of each of them
 * @returns the number of deleted rows
 */
export async function deleteExpired(tx: WriteTx, at: Date, limit: number): Promise<number> {
  const deleted = await Promise.all([
    sql`DELETE FROM identity.session WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.session WHERE expires_at <= ${at} LIMIT ${limit}))`.execute(tx.sql),
    sql`DELETE FROM identity.verification WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.verification WHERE expires_at <= ${at} LIMIT ${limit}))`.execute(tx.sql),
    sql`DELETE FROM identity.used_totp_code WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.used_totp_code WHERE expires_at <= ${at} LIMIT ${limit}))`.execute(tx.sql),
    sql`DELETE FROM identity.sign_in_failure WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM identity.sign_in_failure WHERE forget_at <= ${at} LIMIT ${limit}))`.execute(tx.sql),
  ]);
  return deleted.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0);
}
