import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';

// Row-level security shows these tables to callers that see everything: super admins and the worker.

/** The bot that a worker uses, as Telegram answered. Without an id: none. */
export interface BotInUse {
  telegramId: string | null;
  username: string | null;
  name: string | null;
  problem: 'refused' | 'unavailable' | null;
}

/** Records what a worker uses. */
export async function saveBotInUse(
  tx: WriteTx,
  { telegramId, username, name, problem }: BotInUse,
  at: Date,
): Promise<void> {
  const source = telegramId === null ? 'none' : 'environment';
  await sql`
    INSERT INTO platform_bot_use (version, source, telegram_id, username, name, problem, checked_at)
    VALUES (0, ${source}, ${telegramId}, ${username}, ${name}, ${problem}, ${at})
    ON CONFLICT (is_only) DO UPDATE SET version = 0, source = excluded.source, telegram_id = excluded.telegram_id,
      username = excluded.username, name = excluded.name, problem = excluded.problem,
      checked_at = excluded.checked_at`.execute(tx.sql);
}

/** Whether a super admin of an earlier version stored a token, which counts no more. */
export async function hasStoredToken(tx: Tx): Promise<boolean> {
  const { rows } = await sql`SELECT FROM platform_bot WHERE telegram_id IS NOT NULL`.execute(tx.sql);
  return rows.length > 0;
}
