import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';

/** Why a bot cannot be read. */
export type ReadingProblem = 'refused' | 'unreadable' | 'other_reader' | 'webhook' | 'unavailable';

/** What a worker knows of a bot that it reads. */
export interface ReadingNews {
  botId: string;
  leaseNumber: string;
  readAt: Date | null;
  problem: ReadingProblem | null;
  problemAt: Date | null;
  /** The version of the bot that Telegram refused: see `HeldBot`. Null: reading goes on. */
  stoppedAt: string | null;
}

/** A bot that this worker reads. */
export interface HeldBot {
  botId: string;
  leaseNumber: string;
  telegramId: string;
  /** Changes with the bot and its token. */
  version: string;
  isActive: boolean;
  lastUpdateId: number | null;
  /** Telegram has a menu of commands of earlier texts, or none. */
  areCommandsDue: boolean;
}

/**
 * After a week without updates Telegram starts with a random number (core.telegram.org/bots/api#update), and it keeps
 * unconfirmed ones for a day only: after this long no handled update can come again.
 */
const NUMBERS_LAST = '6 days';
export const areNumbersOver = (at: Date) =>
  sql`r.last_update_at < ${at}::timestamptz - ${NUMBERS_LAST}::interval`;

/** Extends the leases of a worker, and stores how the reading goes. */
export async function renewLeases(
  tx: WriteTx,
  workerId: string,
  { until, news }: { until: Date; news: readonly ReadingNews[] },
): Promise<void> {
  if (news.length === 0) return;
  const given = news.map((one) => ({
    bot_id: one.botId,
    lease_number: one.leaseNumber,
    read_at: one.readAt,
    problem: one.problem,
    problem_at: one.problemAt,
    stopped_at: one.stoppedAt,
  }));
  await sql`
    UPDATE exchange_bot_reading r SET read_at = coalesce(n.read_at, r.read_at), problem = n.problem,
      problem_at = n.problem_at, stopped_at = n.stopped_at,
      answered_by = CASE WHEN n.stopped_at IS NULL THEN r.answered_by END,
      leased_until = CASE WHEN n.stopped_at IS NULL THEN ${until}::timestamptz END
    FROM json_to_recordset(${JSON.stringify(given)}::json) n (bot_id uuid, lease_number bigint, read_at timestamptz,
      problem text, problem_at timestamptz, stopped_at timestamptz)
    WHERE r.bot_id = n.bot_id AND r.answered_by = ${workerId} AND r.lease_number = n.lease_number`.execute(
    tx.sql,
  );
}

/**
 * Takes bots that are switched on and that no worker reads. Two workers never take the same one: locked rows are
 * skipped. A bot that Telegram refused is taken again after its next change.
 */
export async function takeBots(
  tx: WriteTx,
  workerId: string,
  { at, until, limit }: { at: Date; until: Date; limit: number },
): Promise<void> {
  await sql`
    INSERT INTO exchange_bot_reading (bot_id, telegram_id)
    SELECT b.id, b.telegram_id FROM exchange_bot b
    WHERE NOT EXISTS (SELECT FROM exchange_bot_reading r WHERE r.bot_id = b.id)
    ON CONFLICT (bot_id) DO NOTHING`.execute(tx.sql);
  if (limit <= 0) return;
  await sql`
    WITH free AS MATERIALIZED (
      SELECT r.bot_id, b.telegram_id FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id
      WHERE b.is_active AND (r.leased_until IS NULL OR r.leased_until <= ${at})
        AND b.updated_at IS DISTINCT FROM r.stopped_at
      ORDER BY r.leased_until NULLS FIRST, r.bot_id LIMIT ${limit} FOR UPDATE OF r SKIP LOCKED)
    UPDATE exchange_bot_reading r SET answered_by = ${workerId}, leased_until = ${until},
      lease_number = r.lease_number + 1, telegram_id = free.telegram_id, stopped_at = NULL,
      last_update_id = CASE WHEN r.telegram_id = free.telegram_id AND NOT coalesce(${areNumbersOver(at)}, false)
        THEN r.last_update_id END
    FROM free WHERE r.bot_id = free.bot_id`.execute(tx.sql);
}

/** The bots whose leases a worker has. */
export async function listHeld(tx: Tx, workerId: string, at: Date): Promise<HeldBot[]> {
  const { rows } = await sql<Omit<HeldBot, 'lastUpdateId'> & { lastUpdateId: string | null }>`
    SELECT r.bot_id AS "botId", r.lease_number::text AS "leaseNumber", r.telegram_id::text AS "telegramId",
      b.updated_at::text AS version, b.is_active AS "isActive", r.last_update_id::text AS "lastUpdateId",
      r.commands_set < r.commands_wanted AS "areCommandsDue"
    FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id
    WHERE r.answered_by = ${workerId} AND r.leased_until > ${at}`.execute(tx.sql);
  return rows.map((row) => ({
    ...row,
    lastUpdateId: row.lastUpdateId === null ? null : Number(row.lastUpdateId),
  }));
}

/** Gives leases back, so that another worker takes the bots at once. */
export async function giveBack(tx: WriteTx, workerId: string, botIds: readonly string[]): Promise<void> {
  await sql`UPDATE exchange_bot_reading SET answered_by = NULL, leased_until = NULL
    WHERE answered_by = ${workerId} AND bot_id = ANY (${[...botIds]}::uuid[])`.execute(tx.sql);
}
