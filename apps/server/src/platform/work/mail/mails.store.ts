import { sql } from 'kysely';
import type { WriteTx } from '../../db/database.ts';
import type { SealedSecret } from '../../secrets/sealed-secret.ts';
import { dueRows, type Held, later } from '../due-rows.ts';

/** What a mail is about. The table has the same list. */
export type MailKind =
  | 'password_reset'
  | 'invitation'
  | 'account_changed'
  | 'reveal_alarm'
  | 'subscription'
  | 'attention';

/** A mail as it is written, with its contents sealed. */
export interface NewMail extends SealedSecret {
  id: string;
  kind: MailKind;
  recipient: string;
  expiresAt: Date;
}

/** A mail that this process holds. */
export interface HeldMail extends NewMail, Held {
  attempts: number;
}

const MAILS = dueRows({ table: 'mail', due: 'due_at' });

const columns = sql`r.kind, r.recipient, r.attempts, r.expires_at AS "expiresAt", r.ciphertext,
  r.wrapped_key AS "wrappedKey", r.master_key_id AS "masterKeyId"`;

/**
 * @param heldForMs how long the writer holds it for the first attempt, in milliseconds; 0: workers take it at once
 */
export async function insertMail(
  tx: WriteTx,
  mail: NewMail,
  { at, heldForMs }: { at: Date; heldForMs: number },
): Promise<HeldMail> {
  const { id, kind, recipient, expiresAt, ciphertext, wrappedKey, masterKeyId } = mail;
  await sql`
    INSERT INTO mail (id, kind, recipient, ciphertext, wrapped_key, master_key_id, due_at, leased_until, expires_at,
      created_at)
    VALUES (${id}, ${kind}, ${recipient}, ${ciphertext}, ${wrappedKey}, ${masterKeyId},
      ${new Date(at.getTime() + heldForMs)}, ${heldForMs > 0 ? later(heldForMs) : null}, ${expiresAt}, ${at})`.execute(
    tx.sql,
  );
  return { ...mail, leaseNumber: '0', attempts: 0 };
}

/** Claims the mail that has been due for longest, until its lease ends. */
export async function claimMail(
  tx: WriteTx,
  { at, leaseMs }: { at: Date; leaseMs: number },
): Promise<HeldMail | null> {
  const [mail] = await MAILS.claim<HeldMail>(tx, {
    at,
    leaseMs,
    pick: sql`
      SELECT d.id FROM mail d WHERE d.state = 'waiting' AND ${MAILS.isFree('d', at)}
      ORDER BY d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    returning: columns,
  });
  return mail ?? null;
}

/** Forgets a mail that was sent. */
export const deleteMail = (tx: WriteTx, mail: Held): Promise<boolean> => MAILS.remove(tx, mail);

export const postponeMail = (tx: WriteTx, mail: Held, dueAt: Date): Promise<boolean> =>
  MAILS.finish(tx, mail, { nextAt: dueAt, set: sql`attempts = attempts + 1` });

/** Gives a mail up, without its contents. */
export const failMail = (tx: WriteTx, mail: Held, problem: string): Promise<boolean> =>
  MAILS.finish(tx, mail, {
    set: sql`state = 'failed', problem = ${problem}, attempts = attempts + 1, ciphertext = NULL, wrapped_key = NULL,
      master_key_id = NULL`,
  });

/**
 * Deletes waiting mails: after a restore, the backup still has those that were sent since. @returns how many
 */
export async function forgetWaitingMails(tx: WriteTx): Promise<number> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM mail WHERE state = 'waiting'`.execute(tx.sql);
  return Number(numAffectedRows);
}

/** Gives up some mails that expired before a worker could send them. @returns how many */
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
