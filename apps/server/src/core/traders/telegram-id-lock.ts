import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

/**
 * Serialises lookups, additions and changes of traders by a Telegram id of a community until the transaction
 * ends, so an order of a bot and a form cannot both give the id to a trader.
 */
export async function lockTelegramId(tx: WriteTx, communityId: string, telegramId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext(${`copydesk.buyer ${communityId} ${telegramId}`}))`.execute(
    tx.sql,
  );
}
