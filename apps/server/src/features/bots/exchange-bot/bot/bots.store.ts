import type { Language } from '@copydesk/domain/catalogue';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { WriteTx } from '../../../../platform/db/database.ts';
import type { ExchangeBot } from '../../../../platform/db/schema.ts';

export interface LockedBot {
  id: string;
  communityId: string;
  username: string;
  language: Language;
  isActive: boolean;
}

/** A bot, locked until the transaction ends. */
export async function findBotForUpdate(tx: WriteTx, id: string): Promise<LockedBot | null> {
  const { rows } = await sql<LockedBot>`
    SELECT b.id, b.community_id AS "communityId", b.username, b.language, b.is_active AS "isActive"
    FROM exchange_bot b WHERE b.id = ${id} FOR UPDATE`.execute(tx.sql);
  return rows[0] ?? null;
}

export async function insertBot(tx: WriteTx, bot: Insertable<ExchangeBot> & { id: string }): Promise<void> {
  await tx.sql.insertInto('exchange_bot').values(bot).execute();
}

/** Changes a bot. A caller that sets `problem` has just asked Telegram. */
export async function updateBot(tx: WriteTx, id: string, changes: Updateable<ExchangeBot>): Promise<void> {
  await tx.sql
    .updateTable('exchange_bot')
    .set({
      ...changes,
      updated_at: sql<Date>`now()`,
      ...(changes.problem === undefined ? {} : { checked_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute();
}
