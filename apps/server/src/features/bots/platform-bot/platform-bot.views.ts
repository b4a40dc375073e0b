import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export type PlatformBot = CallAnswer<'GET /api/platform-bot'>['data'];
type InUse = NonNullable<PlatformBot['in_use']>;

/** The platform's bot: what is stored, and what the worker says that it uses. */
export async function readPlatformBot(tx: Tx): Promise<Omit<PlatformBot, 'is_locked'>> {
  const { rows: stored } = await sql<{
    version: number;
    telegram_id: string | null;
    changed_at: string;
    changed_by: string;
  }>`SELECT b.version, b.telegram_id::text AS telegram_id, app.iso(b.changed_at) AS changed_at, b.changed_by
    FROM platform_bot b`.execute(tx.sql);
  const { rows: used } = await sql<InUse & { version: number }>`
    SELECT u.version, u.source, u.telegram_id::text AS telegram_id, u.username, u.name, u.problem,
      app.iso(u.checked_at) AS checked_at
    FROM platform_bot_use u`.execute(tx.sql);
  const { rows: readings } = await sql<NonNullable<PlatformBot['reading']>>`
    SELECT app.iso(r.read_at) AS read_at, r.problem, app.iso(r.counts_from) AS counts_from
    FROM platform_bot_reading r`.execute(tx.sql);
  const [bot] = stored;
  const [use] = used;
  return {
    stored_telegram_id: bot?.telegram_id ?? null,
    changed_at: bot?.changed_at ?? null,
    changed_by: bot?.changed_by ?? null,
    is_in_effect: use !== undefined && use.version === (bot?.version ?? 0),
    in_use: use ? inUseOf(use) : null,
    reading: readings[0] ?? null,
  };
}

const inUseOf = ({ version: _, ...use }: InUse & { version: number }): InUse => use;

/** Whether a community has connected this bot as its own. */
export async function isBotOfCommunity(tx: Tx, telegramId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM exchange_bot WHERE telegram_id = ${telegramId}`.execute(tx.sql);
  return rows.length > 0;
}

/** Whether the platform writes with this bot, or will. */
export async function isPlatformBot(tx: Tx, telegramId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM platform_bot WHERE telegram_id = ${telegramId}
    UNION ALL SELECT FROM platform_bot_use WHERE telegram_id = ${telegramId}`.execute(tx.sql);
  return rows.length > 0;
}
