import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../platform/db/database.ts';
import { later } from '../../../platform/work/due-rows.ts';
import type { ReadingHealth } from '../telegram/update-reader.ts';

/** The right of a worker to read the platform's bot. */
export interface ReadingLease {
  workerId: string;
  leaseNumber: string;
}

/** After this long no handled update can come again, and Telegram may begin with other numbers (decision 68). */
const NUMBERS_LAST = '6 days';

/**
 * Takes the reading of a bot, unless another worker has it. Another bot has numbers of its own. Words count at once:
 * only the environment of workers gives a bot.
 * @returns null: another worker reads
 */
export async function takeReading(
  tx: WriteTx,
  workerId: string,
  { telegramId, at, leaseMs }: { telegramId: string; at: Date; leaseMs: number },
): Promise<{ leaseNumber: string; lastUpdateId: number | null } | null> {
  const { rows } = await sql<{ leaseNumber: string; lastUpdateId: string | null }>`
    INSERT INTO platform_bot_reading AS r (telegram_id, counts_from, answered_by, lease_number, leased_until)
    VALUES (${telegramId}, now(), ${workerId}, 1, ${later(leaseMs)})
    ON CONFLICT (is_only) DO UPDATE SET telegram_id = excluded.telegram_id,
      counts_from = CASE WHEN r.telegram_id = excluded.telegram_id THEN least(r.counts_from, excluded.counts_from)
        ELSE excluded.counts_from END,
      answered_by = excluded.answered_by, leased_until = excluded.leased_until, lease_number = r.lease_number + 1,
      last_update_id = CASE WHEN r.telegram_id = excluded.telegram_id
        AND r.last_update_at >= ${at}::timestamptz - ${NUMBERS_LAST}::interval THEN r.last_update_id END
    WHERE r.leased_until IS NULL OR r.leased_until <= now() OR r.answered_by = ${workerId}
    RETURNING r.lease_number::text AS "leaseNumber", r.last_update_id::text AS "lastUpdateId"`.execute(
    tx.sql,
  );
  const [taken] = rows;
  if (!taken) return null;
  const { leaseNumber, lastUpdateId } = taken;
  return { leaseNumber, lastUpdateId: lastUpdateId === null ? null : Number(lastUpdateId) };
}

/**
 * Extends a lease and stores how the reading goes; without a time, gives the lease back.
 * @returns false: another worker reads now
 */
export async function renewReading(
  tx: WriteTx,
  { workerId, leaseNumber }: ReadingLease,
  { leaseMs, health: { readAt, problem, problemAt } }: { leaseMs: number | null; health: ReadingHealth },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE platform_bot_reading r SET leased_until = ${leaseMs === null ? null : later(leaseMs)}, read_at = coalesce(${readAt}, r.read_at),
      problem = ${problem}, problem_at = ${problemAt},
      answered_by = CASE WHEN ${leaseMs !== null} THEN r.answered_by END
    WHERE r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}`.execute(tx.sql);
  return numAffectedRows === 1n;
}

/** Whether a worker may still handle what it reads. Its row stays as it is until the transaction ends. */
export async function holdsReading(tx: Tx, { workerId, leaseNumber }: ReadingLease): Promise<boolean> {
  const { rows } = await sql`SELECT FROM platform_bot_reading r
    WHERE r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber} FOR SHARE`.execute(tx.sql);
  return rows.length > 0;
}

/** Stores up to where every update is handled. @returns false: another worker reads now */
export async function saveReadingPrefix(
  tx: WriteTx,
  { workerId, leaseNumber }: ReadingLease,
  updateId: number,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE platform_bot_reading r SET last_update_id = ${updateId}, last_update_at = ${at}
    WHERE r.answered_by = ${workerId} AND r.lease_number = ${leaseNumber}`.execute(tx.sql);
  return numAffectedRows === 1n;
}
