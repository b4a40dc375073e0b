import { sql } from 'kysely';
import { BOT_MESSAGES, CHAT_PAUSE_MS, type HeldMessage } from '../../../../core/outbox/send-message.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/delete-in-batches.ts';
import type { RenderedReply } from '../texts/render-reply.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import type { ChatKey } from './chats.store.ts';

export interface NewBotMessage extends RenderedReply {
  chat: ChatKey;
  /** A fact is said once; null: an answer. */
  factKey: string | null;
}

/** Queues messages in the given order; a fact that was said before is skipped. */
export async function queueReplies(tx: WriteTx, messages: readonly NewBotMessage[], at: Date): Promise<void> {
  const given = messages.map(({ chat, text, keyboard, qrText, factKey }, nth) => ({
    nth,
    bot_id: chat.botId,
    telegram_user_id: chat.telegramUserId,
    text,
    keyboard: keyboard.length > 0 ? keyboard : null,
    qr_text: qrText,
    fact_key: factKey,
  }));
  // Their order in the chat: of the database's clock, since workers' clocks differ.
  await sql`
    INSERT INTO exchange_bot_message (bot_id, telegram_user_id, text, keyboard, qr_text, fact_key, due_at, created_at)
    SELECT bot_id, telegram_user_id, text, keyboard, qr_text, fact_key, ${at}::timestamptz,
      clock_timestamp() + nth * interval '1 microsecond'
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS m (nth integer, bot_id uuid, telegram_user_id bigint,
      text text, keyboard jsonb, qr_text text, fact_key text)
    ORDER BY nth ON CONFLICT (fact_key) DO NOTHING`.execute(tx.sql);
}

/** A message that only this worker sends until its lease ends. */
export interface ClaimedBotMessage extends HeldMessage {
  botId: string;
  chatId: string;
  text: string;
  keyboard: RenderedReply['keyboard'] | null;
  qrText: string | null;
}

/**
 * Claims due messages of the bots that this worker holds: the oldest of each chat, and none while another of the chat is
 * in progress or was just sent.
 * @param rooms how many messages each bot may start now
 */
export async function claimBotMessages(
  tx: WriteTx,
  { at, leaseMs, rooms }: { at: Date; leaseMs: number; rooms: readonly { botId: string; room: number }[] },
): Promise<ClaimedBotMessage[]> {
  const given = JSON.stringify(rooms.map(({ botId, room }) => ({ bot_id: botId, room })));
  return BOT_MESSAGES.claim<ClaimedBotMessage>(tx, {
    at,
    leaseMs,
    pick: sql`
      SELECT d.id FROM json_to_recordset(${given}::json) h (bot_id uuid, room int)
      CROSS JOIN LATERAL (
        SELECT m.id FROM exchange_bot_message m
        WHERE m.bot_id = h.bot_id AND m.state = 'queued' AND ${BOT_MESSAGES.isFree('m', at)}
          AND NOT EXISTS (SELECT FROM exchange_bot_message o WHERE o.bot_id = m.bot_id
            AND o.telegram_user_id = m.telegram_user_id AND o.state = 'queued'
            AND (o.created_at, o.id) < (m.created_at, m.id))
          AND NOT EXISTS (SELECT FROM exchange_bot_message o WHERE o.bot_id = m.bot_id
            AND o.telegram_user_id = m.telegram_user_id AND o.state = 'sent'
            AND o.sent_at > ${new Date(at.getTime() - CHAT_PAUSE_MS)})
        ORDER BY m.due_at, m.created_at LIMIT h.room FOR UPDATE SKIP LOCKED) d`,
    returning: sql`r.bot_id AS "botId", r.telegram_user_id::text AS "chatId", r.text, r.keyboard,
      r.qr_text AS "qrText", r.attempts`,
  });
}

/** Queues a failed message again, as if it had never been tried. Returns whether it had failed. */
export async function queueBotMessageAgain(
  tx: WriteTx,
  botId: string,
  id: string,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE exchange_bot_message SET state = 'queued', attempts = 0, due_at = ${at}, problem = NULL,
      problem_detail = NULL
    WHERE id = ${id} AND bot_id = ${botId} AND state = 'failed'`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/**
 * Queues the failed messages of a bot again, the oldest first.
 * @returns how many
 */
export async function queueFailedAgain(
  tx: WriteTx,
  botId: string,
  { at, limit }: { at: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE exchange_bot_message SET state = 'queued', attempts = 0, due_at = ${at}, problem = NULL,
      problem_detail = NULL
    WHERE id IN (SELECT m.id FROM exchange_bot_message m WHERE m.bot_id = ${botId} AND m.state = 'failed'
      ORDER BY m.created_at, m.id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(tx.sql);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes messages that were sent long ago. Failed ones wait for a person, and facts are marked on their sales. */
export function pruneBotMessages(
  { db, now }: { db: Database; now: () => Date },
  keptDays: number,
): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM exchange_bot_message WHERE id IN (
          SELECT m.id FROM exchange_bot_message m
          WHERE m.state = 'sent' AND m.sent_at < ${now()}::timestamptz - make_interval(days => ${keptDays})
          LIMIT ${limit})`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
