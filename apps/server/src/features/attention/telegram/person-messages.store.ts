import { sql } from 'kysely';
import { CHAT_PAUSE_MS, type HeldMessage } from '../../../core/outbox/send-message.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/delete-in-batches.ts';
import { dueRows } from '../../../platform/work/due-rows.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

export const PERSON_MESSAGES = dueRows({ table: 'person_message', due: 'due_at' });

const HOUR_MS = 3_600_000;
/** What waited may be decided after this. */
const VALID_MS = 4 * HOUR_MS;
/** A chat that is connected to no person gets the answer to a link at most this often. */
const LINK_ANSWER_PAUSE_MS = 60_000;
/** A message that failed longer ago is not mailed: mails were not possible until now. */
const MAILED_WITHIN_MS = 6 * HOUR_MS;
/** What Telegram, or a worker with a bot, did not take for so long is mailed as well. */
const WAITS_MS = HOUR_MS / 2;

interface NewPersonMessage {
  telegramUserId: number | string;
  /** Without markup; what it has of it is shown. */
  text: string;
  dedupeKey: string;
}

type Addressed =
  | { userId: string; kind: 'digest' | 'news' | 'connected' }
  | { userId: null; kind: 'disconnected' | 'link_over' };

/** Writes a message in the transaction of its cause, once for each key. */
export async function queuePersonMessage(
  tx: WriteTx,
  { userId, kind, telegramUserId, text, dedupeKey }: NewPersonMessage & Addressed,
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO person_message (user_id, telegram_user_id, kind, text, dedupe_key, due_at, created_at)
    VALUES (${userId}, ${telegramUserId}, ${kind}, ${text}, ${dedupeKey}, ${at}, ${at})
    ON CONFLICT (dedupe_key) DO NOTHING`.execute(tx.sql);
}

/** Whether a chat had the answer to a link that is over so recently that it gets none. */
export async function hadLinkAnswer(tx: WriteTx, telegramUserId: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM person_message WHERE telegram_user_id = ${telegramUserId} AND kind = 'link_over'
      AND created_at > ${new Date(at.getTime() - LINK_ANSWER_PAUSE_MS)} LIMIT 1`.execute(tx.sql);
  return rows.length > 0;
}

/** A message that only this worker sends until its lease ends. */
export interface ClaimedPersonMessage extends HeldMessage {
  chatId: string;
  text: string;
}

/**
 * What a message is about is over: the chat is another one or none, its person may not sign in, or what waited is of
 * hours ago.
 */
const isMoot = (at: Date) => sql`(r.user_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM person_chat c JOIN identity.person p ON p.id = c.user_id
    WHERE c.user_id = r.user_id AND c.telegram_user_id = r.telegram_user_id AND p.is_active AND p.disabled_at IS NULL)
  OR r.kind IN ('digest', 'news') AND r.created_at < ${new Date(at.getTime() - VALID_MS)}::timestamptz)`;

/**
 * Claims due messages: the oldest of each chat, and none while another of the chat is in progress or was just sent.
 * Messages that are moot leave the queue permanently.
 */
export async function claimPersonMessages(
  tx: WriteTx,
  { at, limit, leaseMs }: { at: Date; limit: number; leaseMs: number },
): Promise<{ claimed: ClaimedPersonMessage[]; mootIds: string[] }> {
  const rows = await PERSON_MESSAGES.claim<ClaimedPersonMessage & { isMoot: boolean }>(tx, {
    at,
    leaseMs,
    pick: sql`
      SELECT d.id FROM person_message d
      WHERE d.state = 'queued' AND ${PERSON_MESSAGES.isFree('d', at)} AND NOT EXISTS (
        SELECT FROM person_message o WHERE o.telegram_user_id = d.telegram_user_id
          AND (o.state = 'queued' AND (o.created_at, o.id) < (d.created_at, d.id)
            OR o.sent_at > ${new Date(at.getTime() - CHAT_PAUSE_MS)}))
      ORDER BY d.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    returning: sql`r.text, r.attempts, r.telegram_user_id::text AS "chatId", ${isMoot(at)} AS "isMoot"`,
  });
  const moot = rows.filter((row) => row.isMoot);
  for (const message of moot) await PERSON_MESSAGES.remove(tx, message);
  return { claimed: rows.filter((row) => !row.isMoot), mootIds: moot.map(({ id }) => id) };
}

/**
 * Takes what was to be told by Telegram, failed for good or waits for long, and is to be mailed instead.
 * @returns each with the address of its person, who may sign in
 */
export async function takeUndelivered(
  tx: WriteTx,
  at: Date,
): Promise<{ id: string; email: string; text: string }[]> {
  const { rows } = await sql<{ id: string; email: string; text: string }>`
    UPDATE person_message m SET mailed_at = ${at}, state = 'failed', problem = coalesce(m.problem, 'unavailable')
    FROM identity.person p
    WHERE m.state <> 'sent' AND (m.state = 'failed' OR m.created_at < ${new Date(at.getTime() - WAITS_MS)}
        AND (m.leased_until IS NULL OR m.leased_until <= now()))
      AND m.mailed_at IS NULL AND m.kind IN ('digest', 'news') AND p.id = m.user_id
      AND m.created_at > ${new Date(at.getTime() - MAILED_WITHIN_MS)} AND p.is_active AND p.disabled_at IS NULL
      AND p.email <> ''
    RETURNING m.id, p.email, m.text`.execute(tx.sql);
  return rows;
}

/**
 * Deletes messages that were sent or given up long ago. The last one of a person stays: it says whether the chat can be
 * reached.
 * @returns the number of deleted rows
 */
export function prunePersonMessages(
  { db, now }: { db: Database; now: () => Date },
  keptDays: number,
): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM person_message WHERE id IN (
          SELECT m.id FROM person_message m
          WHERE m.state <> 'queued' AND m.created_at < ${now()}::timestamptz - make_interval(days => ${keptDays})
            AND (m.user_id IS NULL OR EXISTS (SELECT FROM person_message o WHERE o.user_id = m.user_id
              AND o.state <> 'queued' AND (o.created_at, o.id) > (m.created_at, m.id)))
          ORDER BY m.created_at LIMIT ${limit})`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
