import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../db/database.ts';
import type { SealedSecret } from '../../secrets/sealed-secret.ts';

/** What a mail is about. The table has the same list. */
export type MailKind = 'password_reset' | 'invitation' | 'account_changed' | 'reveal_alarm' | 'subscription';

/** A mail that waits, with its contents sealed. */
export interface WaitingMail extends SealedSecret {
  id: string;
  kind: MailKind;
  recipient: string;
  attempts: number;
  expiresAt: Date;
}

const columns = sql`m.id, m.kind, m.recipient, m.attempts, m.expires_at AS "expiresAt", m.ciphertext,
  m.wrapped_key AS "wrappedKey", m.master_key_id AS "masterKeyId"`;

/** @param dueAt the next attempt by anyone; the caller itself may attempt before */
export async function insertMail(
  tx: WriteTx,
  { id, kind, recipient, expiresAt, ...sealed }: WaitingMail,
  { at, dueAt }: { at: Date; dueAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO mail (id, kind, recipient, ciphertext, wrapped_key, master_key_id, due_at, expires_at, created_at)
    VALUES (${id}, ${kind}, ${recipient}, ${sealed.ciphertext}, ${sealed.wrappedKey}, ${sealed.masterKeyId},
      ${dueAt}, ${expiresAt}, ${at})`.execute(tx.sql);
}

/** Claims the mail that has been due for longest, until its lease ends. */
export async function claimMail(
  tx: WriteTx,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<WaitingMail | null> {
  const { rows } = await sql<WaitingMail>`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM mail d WHERE d.state = 'waiting' AND d.due_at <= ${at}
      ORDER BY d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE mail m SET due_at = ${new Date(at.getTime() + leaseMs)} FROM due WHERE m.id = due.id
    RETURNING ${columns}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Forgets a mail that was sent. */
export async function deleteMail(tx: WriteTx, id: string): Promise<void> {
  await sql`DELETE FROM mail WHERE id = ${id}`.execute(tx.sql);
}

export async function postponeMail(tx: WriteTx, id: string, dueAt: Date): Promise<void> {
  await sql`UPDATE mail SET attempts = attempts + 1, due_at = ${dueAt}
    WHERE id = ${id} AND state = 'waiting'`.execute(tx.sql);
}

/** Gives a mail up, without its contents. */
export async function failMail(tx: WriteTx, id: string, problem: string): Promise<void> {
  await sql`UPDATE mail SET state = 'failed', problem = ${problem}, attempts = attempts + 1, ciphertext = NULL,
      wrapped_key = NULL, master_key_id = NULL
    WHERE id = ${id} AND state = 'waiting'`.execute(tx.sql);
}

/** Forgets mails that wait: a restored database has those that were sent since. @returns how many */
export async function forgetWaitingMails(tx: WriteTx): Promise<number> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM mail WHERE state = 'waiting'`.execute(tx.sql);
  return Number(numAffectedRows);
}

/** Gives up some mails that expired while no sender was there. @returns how many */
export async function failExpired(tx: WriteTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE mail SET state = 'failed', problem = 'expired', ciphertext = NULL, wrapped_key = NULL, master_key_id = NULL
    WHERE id IN (
      SELECT m.id FROM mail m WHERE m.state = 'waiting' AND m.expires_at < ${before}
      LIMIT ${limit})`.execute(tx.sql);
  return Number(numAffectedRows);
}

/** Deletes some old failed mails. @returns how many */
export async function deleteFailed(tx: WriteTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM mail WHERE id IN (
      SELECT m.id FROM mail m WHERE m.state = 'failed' AND m.created_at < ${before} LIMIT ${limit})`.execute(
    tx.sql,
  );
  return Number(numAffectedRows);
}

/** Locks some mails under other master keys; other transactions may process the rest meanwhile. */
export async function lockMailsUnderOtherKeys(
  tx: WriteTx,
  masterKeyId: string,
  limit: number,
): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    SELECT ${columns} FROM mail m WHERE m.master_key_id <> ${masterKeyId}
    ORDER BY m.id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(tx.sql);
  return rows;
}

export async function saveMailWrapping(
  tx: WriteTx,
  id: string,
  { wrappedKey, masterKeyId }: SealedSecret,
): Promise<void> {
  await sql`UPDATE mail SET wrapped_key = ${wrappedKey}, master_key_id = ${masterKeyId} WHERE id = ${id}`.execute(
    tx.sql,
  );
}

export async function countMailsByMasterKey(tx: Tx): Promise<{ masterKeyId: string; count: number }[]> {
  const { rows } = await sql<{ masterKeyId: string; count: number }>`
    SELECT m.master_key_id AS "masterKeyId", count(*)::int AS count FROM mail m
    WHERE m.master_key_id IS NOT NULL GROUP BY m.master_key_id`.execute(tx.sql);
  return rows;
}
