import type { Language } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/delete-in-batches.ts';
import { BOT_ACTOR } from './bot-actor.ts';
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

const isHeld = ({ botId, workerId, leaseNumber }: BotLease) => sql`
  r.bot_id = ${botId} AND b.is_active AND b.telegram_id = r.telegram_id
  AND r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}`;

/**
 * Counts an update as handled. The row's key makes this happen once: a second transaction with the same
 * update waits for the first, and then finds it counted. Other updates of the bot do not wait, not even for
 * the row of its reading.
 * @returns the bot; `repeated`: the update was handled before; `lost`: another worker has the lease, or the
 *   bot is
 * switched off or was replaced
 */
export async function advanceUpdate(
  tx: WriteTx,
  lease: BotLease,
  updateId: number,
  at: Date,
): Promise<AnsweringBot | 'repeated' | 'lost'> {
  const { rows } = await sql<AnsweringBot & { is_new: boolean }>`
    WITH held AS (
      SELECT r.bot_id, r.telegram_id, b.community_id, b.name, b.language,
        (r.last_update_id IS NULL OR r.last_update_id < ${updateId} OR ${areNumbersOver(at)}) AS is_later
      FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id WHERE ${isHeld(lease)}),
    counted AS (
      INSERT INTO exchange_bot_handled_update (bot_id, telegram_id, update_id, handled_at)
      SELECT bot_id, telegram_id, ${updateId}, ${at} FROM held WHERE is_later
      ON CONFLICT DO NOTHING RETURNING bot_id)
    SELECT community_id AS "communityId", name, language, EXISTS (SELECT FROM counted) AS is_new FROM held`.execute(
    tx.sql,
  );
  const [found] = rows;
  if (!found) return 'lost';
  const { is_new: isNew, ...bot } = found;
  return isNew ? bot : 'repeated';
}

/**
 * Stores the number up to which every update is handled, before Telegram is told to forget them.
 * @returns false: another worker has the lease
 */
export async function savePrefix(
  tx: WriteTx,
  { botId, workerId, leaseNumber }: BotLease,
  updateId: number,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE exchange_bot_reading r SET last_update_id = ${updateId}, last_update_at = ${at}
    WHERE r.bot_id = ${botId} AND r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}`.execute(
    tx.sql,
  );
  return numAffectedRows === 1n;
}

/** Telegram repeats an update for a day. A worker that stalled for longer has lost its connection. */
const KEPT = '2 days';

/** Deletes the numbers of updates that cannot come again. */
export function pruneHandledUpdates({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM exchange_bot_handled_update WHERE (bot_id, telegram_id, update_id) IN (
          SELECT u.bot_id, u.telegram_id, u.update_id FROM exchange_bot_handled_update u
          WHERE u.handled_at < ${now()}::timestamptz - ${KEPT}::interval LIMIT ${limit})`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
