import { randomUUID } from 'node:crypto';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../db/database.ts';
import { deleteInBatches } from '../../db/delete-in-batches.ts';
import type { Logger } from '../../observe/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { SealError } from '../../secrets/sealed-secret.ts';
import { openContents, sealContents } from './mail-box.ts';
import {
  claimMail,
  deleteFailed,
  deleteMail,
  failExpired,
  failMail,
  type HeldMail,
  insertMail,
  type MailKind,
  type NewMail,
  postponeMail,
} from './mails.store.ts';
import { MailError, type SendMail } from './smtp.ts';

export interface OutgoingMail {
  kind: MailKind;
  to: string;
  subject: string;
  text: string;
}

/**
 * `waiting`: the server or the network refused it for now, and it is tried again until its kind expires; `failed`: the
 * server refused it for good.
 */
export type MailOutcome = 'sent' | 'waiting' | 'failed';

/** Sends mails, or keeps them until the mail server takes them. */
export interface Mailer {
  /** @throws when the database did not take it */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /**
   * Writes a mail in the same transaction as its cause, so that both happen or neither.
   * @returns makes the first attempt, for after the commit
   */
  keep(tx: WriteTx, mail: OutgoingMail): Promise<() => Promise<MailOutcome>>;
}

export interface MailDeps {
  db: Database;
  keyring: Keyring;
  send: SendMail;
  log: Logger;
  now: () => Date;
}

const HOUR_MS = 3_600_000;
/** After this a mail is useless: links end then, and a notice of days ago comes too late. */
const VALID_FOR_MS: Record<MailKind, number> = {
  password_reset: HOUR_MS,
  invitation: 48 * HOUR_MS,
  account_changed: 72 * HOUR_MS,
  reveal_alarm: 72 * HOUR_MS,
  subscription: 72 * HOUR_MS,
  // By then the item may have been decided.
  attention: 6 * HOUR_MS,
};
/** Longer than an attempt takes: only one process sends a mail. */
const LEASE_MS = 2 * 60_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
const FAILED_KEPT_MS = 30 * 24 * HOUR_MS;
const ACTOR = { kind: 'system', id: 'mail', name: 'Mail' } as const;

/** How long to wait after so many failed attempts: 5 s at first, five minutes at most. */
const nextAttemptMs = (attempts: number) =>
  Math.min(FIRST_RETRY_MS * 3 ** Math.max(0, attempts - 1), LONGEST_RETRY_MS);

/**
 * Writes every mail to the database before its first attempt, so that neither a restart nor a mail server that is away
 * loses it; workers make the further attempts. Null when no mail server is set up.
 */
export function createMailer(deps: Omit<MailDeps, 'send'> & { send: SendMail | null }): Mailer | null {
  const { send, db, keyring, now } = deps;
  if (!send) return null;
  const keep: Mailer['keep'] = async (tx, mail) => {
    const at = now();
    const held = await insertMail(tx, sealMail(keyring, mail, at), { at, heldForMs: LEASE_MS });
    return () => attempt({ ...deps, send }, held);
  };
  return {
    keep,
    async send(mail) {
      const sendKept = await db.write(WHOLE_SCOPE, ACTOR, (tx) => keep(tx, mail));
      return sendKept();
    },
  };
}

/** Has workers send a mail once the transaction has committed. */
export async function queueMail(
  tx: WriteTx,
  { keyring, at }: { keyring: Keyring; at: Date },
  mail: OutgoingMail,
): Promise<void> {
  await insertMail(tx, sealMail(keyring, mail, at), { at, heldForMs: 0 });
}

/** Sends the mail that has been due for longest. Returns whether more may be waiting. */
export async function takeMailTurn(deps: MailDeps): Promise<boolean> {
  const { db, now } = deps;
  const mail = await db.write(WHOLE_SCOPE, ACTOR, (tx) => claimMail(tx, { at: now(), leaseMs: LEASE_MS }));
  if (!mail) return false;
  await attempt(deps, mail);
  return true;
}

/** Gives up mails that expired while no worker could send, and deletes failed ones of a month ago. */
export async function pruneMails({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const at = now().getTime();
  // A running worker gives up an expired mail at its next attempt.
  const expiredBefore = new Date(at - 2 * LONGEST_RETRY_MS);
  const failedBefore = new Date(at - FAILED_KEPT_MS);
  const inBatches = (some: (tx: WriteTx, before: Date, limit: number) => Promise<number>, before: Date) =>
    deleteInBatches((limit) => db.write(WHOLE_SCOPE, ACTOR, (tx) => some(tx, before, limit)));
  return (await inBatches(failExpired, expiredBefore)) + (await inBatches(deleteFailed, failedBefore));
}

function sealMail(keyring: Keyring, { kind, to, subject, text }: OutgoingMail, at: Date): NewMail {
  const mail = { id: randomUUID(), kind, recipient: to };
  return {
    ...mail,
    expiresAt: new Date(at.getTime() + VALID_FOR_MS[kind]),
    ...sealContents(keyring, mail, { subject, text }),
  };
}

async function attempt({ db, keyring, send, log, now }: MailDeps, mail: HeldMail): Promise<MailOutcome> {
  const { id, kind, recipient } = mail;
  const record = async (work: (tx: WriteTx) => Promise<boolean>) => {
    if (!(await db.write(WHOLE_SCOPE, ACTOR, work)))
      log.warn({ mail: id, kind }, 'another process has taken over a mail');
  };
  const fail = async (problem: string) => {
    log.error({ mail: id, kind, problem }, 'a mail failed');
    await record((tx) => failMail(tx, mail, problem));
    return 'failed' as const;
  };
  if (mail.expiresAt <= now()) return fail('expired');
  try {
    const { subject, text } = openContents(keyring, mail);
    await send({ to: recipient, subject, text, messageId: `<${id}@copydesk>` });
  } catch (error) {
    if (error instanceof SealError) return fail('unreadable');
    // The server's text may quote the address or our credentials.
    const code = error instanceof MailError ? error.code : 'unknown';
    if (error instanceof MailError && error.isFinal) return fail(code);
    log.warn({ mail: id, kind, problem: code }, 'a mail was not taken, and is tried again');
    const dueAt = new Date(now().getTime() + nextAttemptMs(mail.attempts + 1));
    await record((tx) => postponeMail(tx, mail, dueAt));
    return 'waiting';
  }
  await record((tx) => deleteMail(tx, mail));
  return 'sent';
}
