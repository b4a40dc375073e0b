import type { Language } from '@copydesk/domain';
import { sql } from 'kysely';
import type { WriteTx } from '../../../platform/db/database.ts';
import { areNumbersOver } from './bot-leases.store.ts';

/** The right of a worker to handle the updates of a bot. */
export interface BotLease {
  botId: string;
  workerId: string;
  leaseNumber: string;
}

export interface AnsweringBot {
  communityId: string;
  name: string;
  language: Language;
}

/**
 * Counts an update as handled. Its row stays locked until the transaction ends, so the updates of a bot are handled one
 * after the other, whoever handles them.
 * @returns the bot; `repeated`: the update was handled before; `lost`: the lease is another worker's, or the bot is
 * switched off or another one
 */
export async function advanceUpdate(
  tx: WriteTx,
  { botId, workerId, leaseNumber }: BotLease,
  updateId: number,
  at: Date,
): Promise<AnsweringBot | 'repeated' | 'lost'> {
  const { rows } = await sql<AnsweringBot>`
    UPDATE exchange_bot_reading r SET last_update_id = ${updateId}, last_update_at = ${at}
    FROM exchange_bot b
    WHERE r.bot_id = ${botId} AND b.id = r.bot_id AND b.is_active AND b.telegram_id = r.telegram_id
      AND r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}
      AND (r.last_update_id IS NULL OR r.last_update_id < ${updateId} OR ${areNumbersOver(at)})
    RETURNING b.community_id AS "communityId", b.name, b.language`.execute(tx.sql);
  const [bot] = rows;
  if (bot) return bot;
  const { rows: held } = await sql`
    SELECT FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id
    WHERE r.bot_id = ${botId} AND b.is_active AND b.telegram_id = r.telegram_id
      AND r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}`.execute(tx.sql);
  return held.length > 0 ? 'repeated' : 'lost';
}
