import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import type { SealedSecret } from '../../../platform/secrets/sealed-secret.ts';

// Row-level security shows these tables to whoever sees everything: super admins and the worker.

export interface StoredToken {
  version: number;
  telegramId: string;
  sealed: SealedSecret;
}

/** What the worker uses, as Telegram answered. */
export interface BotInUse {
  version: number;
  source: 'console' | 'environment' | 'none';
  telegramId: string | null;
  username: string | null;
  name: string | null;
  problem: 'refused' | 'unavailable' | 'unreadable' | null;
}

type Row = { version: number; telegram_id: string | null } & SealedSecret;

const columns = sql`b.version, b.telegram_id::text AS telegram_id, b.ciphertext, b.wrapped_key AS "wrappedKey",
  b.master_key_id AS "masterKeyId"`;

const storedOf = (row: Row | undefined): StoredToken | null => {
  if (!row || row.telegram_id === null) return null;
  const { version, telegram_id: telegramId, ciphertext, wrappedKey, masterKeyId } = row;
  return { version, telegramId, sealed: { ciphertext, wrappedKey, masterKeyId } };
};

/** The version of the last change, 0 before the first, and the stored token. */
export async function findStoredToken(tx: Tx): Promise<{ version: number; token: StoredToken | null }> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM platform_bot b`.execute(tx.sql);
  return { version: rows[0]?.version ?? 0, token: storedOf(rows[0]) };
}

/** Serialises changes, whether or not there is a row yet. */
export async function lockPlatformBot(tx: WriteTx): Promise<{ version: number; telegramId: string | null }> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('copydesk.platform_bot'))`.execute(tx.sql);
  const { version, token } = await findStoredToken(tx);
  return { version, telegramId: token?.telegramId ?? null };
}

/** Stores a token in place of the earlier one; null: deletes it. */
export async function savePlatformToken(
  tx: WriteTx,
  version: number,
  token: { telegramId: string; sealed: SealedSecret } | null,
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO platform_bot (version, telegram_id, ciphertext, wrapped_key, master_key_id, changed_at, changed_by)
    VALUES (${version}, ${token?.telegramId ?? null}, ${token?.sealed.ciphertext ?? null},
      ${token?.sealed.wrappedKey ?? null}, ${token?.sealed.masterKeyId ?? null}, ${at}, ${tx.actor.name})
    ON CONFLICT (is_only) DO UPDATE SET version = excluded.version, telegram_id = excluded.telegram_id,
      ciphertext = excluded.ciphertext, wrapped_key = excluded.wrapped_key, master_key_id = excluded.master_key_id,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(tx.sql);
}

/** Records what a worker uses. A worker that has read an older version does not overwrite. */
export async function saveBotInUse(tx: WriteTx, bot: BotInUse, at: Date): Promise<void> {
  await sql`
    INSERT INTO platform_bot_use (version, source, telegram_id, username, name, problem, checked_at)
    VALUES (${bot.version}, ${bot.source}, ${bot.telegramId}, ${bot.username}, ${bot.name}, ${bot.problem}, ${at})
    ON CONFLICT (is_only) DO UPDATE SET version = excluded.version, source = excluded.source,
      telegram_id = excluded.telegram_id, username = excluded.username, name = excluded.name,
      problem = excluded.problem, checked_at = excluded.checked_at
    WHERE platform_bot_use.version <= excluded.version`.execute(tx.sql);
}

export async function lockSealedUnderOtherKey(tx: WriteTx, masterKeyId: string): Promise<StoredToken | null> {
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM platform_bot b WHERE b.master_key_id <> ${masterKeyId} FOR UPDATE SKIP LOCKED`.execute(
    tx.sql,
  );
  return storedOf(rows[0]);
}

export async function saveWrapping(tx: WriteTx, { wrappedKey, masterKeyId }: SealedSecret): Promise<void> {
  await sql`UPDATE platform_bot SET wrapped_key = ${wrappedKey}, master_key_id = ${masterKeyId}`.execute(
    tx.sql,
  );
}

export async function countByMasterKey(tx: Tx): Promise<{ masterKeyId: string; count: number }[]> {
  const { rows } = await sql<{ masterKeyId: string; count: number }>`
    SELECT b.master_key_id AS "masterKeyId", 1 AS count FROM platform_bot b
    WHERE b.master_key_id IS NOT NULL`.execute(tx.sql);
  return rows;
}
