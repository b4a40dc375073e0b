import type { BotTextKey, Language } from '@copydesk/domain';
import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

/** The texts that a community has written for its bot, in one language. */
export async function listOwnTexts(
  tx: Tx,
  botId: string,
  language: Language,
): Promise<Map<BotTextKey, string>> {
  const { rows } = await sql<{ key: BotTextKey; text: string }>`
    SELECT t.key, t.text FROM exchange_bot_text t WHERE t.bot_id = ${botId} AND t.language = ${language}`.execute(
    tx.sql,
  );
  return new Map(rows.map(({ key, text }) => [key, text]));
}

/** Stores a text; null: the default counts again. */
export async function saveOwnText(
  tx: WriteTx,
  { botId, language, key, text }: { botId: string; language: Language; key: BotTextKey; text: string | null },
): Promise<void> {
  if (text === null)
    await sql`DELETE FROM exchange_bot_text
      WHERE bot_id = ${botId} AND language = ${language} AND key = ${key}`.execute(tx.sql);
  else
    await sql`
      INSERT INTO exchange_bot_text (bot_id, language, key, text) VALUES (${botId}, ${language}, ${key}, ${text})
      ON CONFLICT (bot_id, language, key) DO UPDATE SET text = excluded.text, updated_at = now()`.execute(
      tx.sql,
    );
}
