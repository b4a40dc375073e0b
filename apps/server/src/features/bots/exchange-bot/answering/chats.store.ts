import type { Language } from '@copydesk/domain/catalogue';
import type { BotChat } from '@copydesk/domain/exchange-bot';
import { sql } from 'kysely';
import type { WriteTx } from '../../../../platform/db/database.ts';

/** The private chat of a bot with a person. */
export interface ChatKey {
  botId: string;
  telegramUserId: number;
}

export interface StoredChat extends BotChat {
  countedFrom: Date;
  counted: number;
}

/** Finds the chat of a person who has just written, or adds it. Names may have changed since. */
export async function meetChat(
  tx: WriteTx,
  { botId, telegramUserId }: ChatKey,
  person: { username: string | null; name: string | null; language: Language },
  at: Date,
): Promise<StoredChat> {
  const { rows } = await sql<StoredChat>`
    INSERT INTO exchange_bot_chat AS c (bot_id, telegram_user_id, telegram_username, name, language, counted_from,
      last_seen_at, created_at)
    VALUES (${botId}, ${telegramUserId}, ${person.username}, ${person.name}, ${person.language}, ${at}, ${at}, ${at})
    ON CONFLICT (bot_id, telegram_user_id) DO UPDATE SET telegram_username = excluded.telegram_username,
      name = excluded.name, last_seen_at = excluded.last_seen_at
    RETURNING c.language, c.awaits_coupon_of AS "awaitsCouponOf", c.source, c.counted_from AS "countedFrom",
      c.counted`.execute(tx.sql);
  return rows[0] as StoredChat;
}

export async function saveChat(
  tx: WriteTx,
  { botId, telegramUserId }: ChatKey,
  { language, awaitsCouponOf, source, countedFrom, counted }: StoredChat,
): Promise<void> {
  await sql`
    UPDATE exchange_bot_chat SET language = ${language}, awaits_coupon_of = ${awaitsCouponOf}, source = ${source},
      counted_from = ${countedFrom}, counted = ${counted}
    WHERE bot_id = ${botId} AND telegram_user_id = ${telegramUserId}`.execute(tx.sql);
}
