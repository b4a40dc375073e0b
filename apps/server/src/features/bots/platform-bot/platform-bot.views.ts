import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

type PlatformBot = CallAnswer<'GET /api/platform-bot'>['data'];

/** The platform's bot as the workers report it, and the state of its reading. */
export async function readPlatformBot(tx: Tx): Promise<PlatformBot> {
  const { rows } = await sql<PlatformBot>`
    SELECT (SELECT json_build_object('telegram_id', u.telegram_id::text, 'username', u.username, 'name', u.name,
        'problem', nullif(u.problem, 'unreadable'), 'checked_at', app.iso(u.checked_at)) FROM platform_bot_use u) AS in_use,
      (SELECT json_build_object('read_at', app.iso(r.read_at), 'problem', r.problem)
        FROM platform_bot_reading r) AS reading`.execute(tx.sql);
  return rows[0] ?? { in_use: null, reading: null };
}

/** Whether the platform writes with this bot. */
export async function isPlatformBot(tx: Tx, telegramId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM platform_bot_use WHERE telegram_id = ${telegramId}`.execute(tx.sql);
  return rows.length > 0;
}
