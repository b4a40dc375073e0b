import { sql } from 'kysely';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import { dueRows, later } from '../../../../platform/work/due-rows.ts';

const READINGS = dueRows({ table: 'exchange_bot_reading', key: 'bot_id', due: null });

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
  /** Telegram has no menu of commands yet, or one of earlier texts. */
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
  { leaseMs, news }: { leaseMs: number; news: readonly ReadingNews[] },
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
      leased_until = CASE WHEN n.stopped_at IS NULL THEN ${later(leaseMs)} END
    FROM json_to_recordset(${JSON.stringify(given)}::json) n (bot_id uuid, lease_number bigint, read_at timestamptz,
      problem text, problem_at timestamptz, stopped_at timestamptz)
    WHERE r.bot_id = n.bot_id AND r.answered_by = ${workerId} AND r.lease_number = n.lease_number`.execute(
    tx.sql,
  );
}

/** Takes bots that are switched on and that no worker reads; one that Telegram refused, after its next change. */
export async function takeBots(
  tx: WriteTx,
  workerId: string,
  { at, leaseMs, limit }: { at: Date; leaseMs: number; limit: number },
): Promise<void> {
  await sql`
    INSERT INTO exchange_bot_reading (bot_id, telegram_id)
    SELECT b.id, b.telegram_id FROM exchange_bot b
    WHERE NOT EXISTS (SELECT FROM exchange_bot_reading r WHERE r.bot_id = b.id)
    ON CONFLICT (bot_id) DO NOTHING`.execute(tx.sql);
  if (limit <= 0) return;
  await READINGS.claim(tx, {
    at: null,
    leaseMs,
    pick: sql`
      SELECT d.bot_id, b.telegram_id FROM exchange_bot_reading d JOIN exchange_bot b ON b.id = d.bot_id
      WHERE b.is_active AND ${READINGS.isFree('d', null)} AND b.updated_at IS DISTINCT FROM d.stopped_at
      ORDER BY d.leased_until NULLS FIRST, d.bot_id LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED`,
    set: sql`answered_by = ${workerId}, telegram_id = free.telegram_id, stopped_at = NULL,
      last_update_id = CASE WHEN r.telegram_id = free.telegram_id AND NOT coalesce(${areNumbersOver(at)}, false)
        THEN r.last_update_id END`,
  });
}

/** The bots whose leases a worker has. */
export async function listHeld(tx: Tx, workerId: string): Promise<HeldBot[]> {
  const { rows } = await sql<Omit<HeldBot, 'lastUpdateId'> & { lastUpdateId: string | null }>`
    SELECT r.bot_id AS "botId", r.lease_number::text AS "leaseNumber", r.telegram_id::text AS "telegramId",
      b.updated_at::text AS version, b.is_active AS "isActive", r.last_update_id::text AS "lastUpdateId",
      r.commands_set < r.commands_wanted AS "areCommandsDue"
    FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id
    WHERE r.answered_by = ${workerId} AND r.leased_until > now()`.execute(tx.sql);
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
