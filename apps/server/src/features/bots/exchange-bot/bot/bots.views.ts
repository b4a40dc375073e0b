import type { CallAnswer } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

export type Bot = CallAnswer<'GET /api/exchange-bot/{id}'>['data'];

async function findWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<Bot | null> {
  const { rows } = await sql<Bot>`
    SELECT b.id, b.community_id, b.telegram_id::text AS telegram_id, b.username, b.name, b.language, b.is_active,
      b.problem, app.iso(b.checked_at) AS checked_at, app.iso(r.read_at) AS read_at, r.problem AS reading_problem,
      app.iso(r.problem_at) AS reading_problem_at, app.iso(b.created_at) AS created_at
    FROM exchange_bot b LEFT JOIN exchange_bot_reading r ON r.bot_id = b.id AND r.telegram_id = b.telegram_id
    WHERE ${condition}`.execute(tx.sql);
  return rows[0] ?? null;
}

export const findBot = (tx: Tx, id: string) => findWhere(tx, sql`b.id = ${id}`);
export const findBotOfCommunity = (tx: Tx, communityId: string) =>
  findWhere(tx, sql`b.community_id = ${communityId}`);
