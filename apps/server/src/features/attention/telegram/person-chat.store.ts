import type { MessageProblem } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** The one open link of a person; an earlier one opens nothing any more. */
export async function saveRequest(
  tx: WriteTx,
  userId: string,
  { codeHash, expiresAt }: { codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO person_chat_request (user_id, code_hash, expires_at) VALUES (${userId}, ${codeHash}, ${expiresAt})
    ON CONFLICT (user_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`.execute(
    tx.sql,
  );
}

/**
 * Uses up the link with this code, for workers.
 * @returns whose it is; null: it is unknown, over, or of a person who may not sign in
 */
export async function takeRequest(
  tx: WriteTx,
  codeHash: Buffer,
  at: Date,
): Promise<{ userId: string; email: string } | null> {
  const { rows } = await sql<{ userId: string; email: string }>`
    DELETE FROM person_chat_request r USING identity.person p
    WHERE r.code_hash = ${codeHash} AND r.expires_at > ${at} AND p.id = r.user_id AND p.is_active
      AND p.disabled_at IS NULL
    RETURNING r.user_id AS "userId", p.email`.execute(tx.sql);
  return rows[0] ?? null;
}

/** A chat as Telegram tells of it. */
export interface Chat {
  telegramUserId: number;
  name: string | null;
  botTelegramId: string;
}

/** Connects a chat in place of an earlier one. */
export async function saveChat(
  tx: WriteTx,
  userId: string,
  { telegramUserId, name, botTelegramId, codeHash }: Chat & { codeHash: Buffer },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO person_chat (user_id, telegram_user_id, telegram_name, bot_telegram_id, code_hash, connected_at)
    VALUES (${userId}, ${telegramUserId}, ${name}, ${botTelegramId}, ${codeHash}, ${at})
    ON CONFLICT (user_id) DO UPDATE SET telegram_user_id = excluded.telegram_user_id,
      telegram_name = excluded.telegram_name, bot_telegram_id = excluded.bot_telegram_id,
      code_hash = excluded.code_hash, connected_at = excluded.connected_at`.execute(tx.sql);
}

/** Whether this chat was connected by this code, whose link is pressed again. */
export async function wasConnectedBy(tx: Tx, codeHash: Buffer, telegramUserId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM person_chat WHERE code_hash = ${codeHash} AND telegram_user_id = ${telegramUserId}`.execute(
    tx.sql,
  );
  return rows.length > 0;
}

export interface ConnectedChat {
  telegramUserId: string;
  name: string | null;
  connectedAt: string;
  /** Why the last message failed for good; null: it did not. */
  problem: MessageProblem | null;
}

/** The chat of a person, and how its last message went. */
export async function findChat(tx: Tx, userId: string): Promise<ConnectedChat | null> {
  const { rows } = await sql<ConnectedChat>`
    SELECT c.telegram_user_id::text AS "telegramUserId", c.telegram_name AS name,
      app.iso(c.connected_at) AS "connectedAt",
      (SELECT CASE WHEN m.state = 'failed' THEN m.problem END FROM person_message m
        WHERE m.user_id = c.user_id AND m.telegram_user_id = c.telegram_user_id AND m.state <> 'queued'
          AND m.created_at >= c.connected_at
        ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS problem
    FROM person_chat c WHERE c.user_id = ${userId}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** The people whom a chat is connected to, for workers. */
export async function listPeopleOf(tx: Tx, telegramUserId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT user_id AS id FROM person_chat WHERE telegram_user_id = ${telegramUserId} ORDER BY user_id`.execute(
    tx.sql,
  );
  return rows.map(({ id }) => id);
}

/**
 * Forgets the chat of a person with what waits to be sent to it, and a link that would connect one.
 * @returns the name of the chat in an object; null: there was none
 */
export async function deleteChat(tx: WriteTx, userId: string): Promise<{ name: string | null } | null> {
  await sql`DELETE FROM person_chat_request WHERE user_id = ${userId}`.execute(tx.sql);
  const { rows } = await sql<{ name: string | null }>`
    DELETE FROM person_chat WHERE user_id = ${userId} RETURNING telegram_name AS name`.execute(tx.sql);
  await sql`DELETE FROM person_message WHERE user_id = ${userId} AND state = 'queued'`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * The name by which people find the platform's bot; null: none works. Every person may know it: the caller reads it in
 * the scope of all, since most see no bot.
 */
export async function findBotName(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ username: string | null }>`
    SELECT username FROM platform_bot_use WHERE problem IS NULL`.execute(tx.sql);
  return rows[0]?.username ?? null;
}
