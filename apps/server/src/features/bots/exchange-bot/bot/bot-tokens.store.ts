import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import type { StoredBotToken } from './bot-token-box.ts';

// Row-level security shows tokens to callers that see everything: super admins and the worker.

/** Stores the token of a bot in place of an earlier one, which is gone. */
export async function saveToken(tx: WriteTx, token: StoredBotToken): Promise<void> {
  const { botId, version, ciphertext, wrappedKey, masterKeyId } = token;
  await sql`
    INSERT INTO exchange_bot_token (bot_id, version, ciphertext, wrapped_key, master_key_id)
    VALUES (${botId}, ${version}, ${ciphertext}, ${wrappedKey}, ${masterKeyId})
    ON CONFLICT (bot_id) DO UPDATE SET version = excluded.version, ciphertext = excluded.ciphertext,
      wrapped_key = excluded.wrapped_key, master_key_id = excluded.master_key_id, created_at = now()`.execute(
    tx.sql,
  );
}

const columns = sql`t.bot_id AS "botId", t.version, t.ciphertext, t.wrapped_key AS "wrappedKey",
  t.master_key_id AS "masterKeyId"`;

export async function findToken(tx: Tx, botId: string): Promise<StoredBotToken | null> {
  const { rows } = await sql<StoredBotToken>`
    SELECT ${columns} FROM exchange_bot_token t WHERE t.bot_id = ${botId}`.execute(tx.sql);
  return rows[0] ?? null;
}
