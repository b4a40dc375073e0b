import { MOST_MESSAGES_RETRIED, type RetryReason } from '@copydesk/domain/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Messages that a person has selected to be sent again, of either table. */
export interface RetrySelection {
  table: 'message' | 'exchange_bot_message';
  /** Its rows as `m`, those in scope that are selected, with what their reasons are read from: FROM and WHERE. */
  selected: RawBuilder<unknown>;
  /** Why a failed `m` is not sent again; NULL: it is. */
  reason: RawBuilder<unknown>;
  /** How many were named; null: all failed ones that match. */
  named: number | null;
}

/** Named messages, or all failed ones that match filters. */
export interface Selected<Filters> {
  ids?: string[] | undefined;
  matching?: { query: Filters; except: string[] } | undefined;
}

/** The condition of a selection over a message `m`. */
export function conditionOf<Filters>(
  { ids = [], matching }: Selected<Filters>,
  conditionOfFilters: (filters: Filters) => RawBuilder<unknown>,
): Pick<RetrySelection, 'named'> & { condition: RawBuilder<unknown> } {
  if (!matching) return { condition: sql`m.id = ANY (${ids}::uuid[])`, named: new Set(ids).size };
  const condition = sql`m.state = 'failed' AND m.id <> ALL (${matching.except}::uuid[])
    AND ${conditionOfFilters(matching.query)}`;
  return { condition, named: null };
}

/** How many would be sent again, and why the others not. */
export async function previewRetry(
  tx: Tx,
  { selected, reason, named }: RetrySelection,
): Promise<{ will: number; left_out: { reason: RetryReason; count: number }[] }> {
  const { rows } = await sql<{ reason: RetryReason | null; count: number }>`
    SELECT r.reason, count(*)::int AS count
    FROM (SELECT CASE WHEN m.state <> 'failed' THEN 'not_failed' ELSE ${reason} END AS reason ${selected}) r
    GROUP BY r.reason ORDER BY count DESC, r.reason`.execute(tx.sql);
  const found = rows.reduce((sum, { count }) => sum + count, 0);
  const leftOut = rows.flatMap((row) =>
    row.reason === null ? [] : [{ reason: row.reason, count: row.count }],
  );
  if (named !== null && named > found) leftOut.push({ reason: 'gone', count: named - found });
  return { will: rows.find((row) => row.reason === null)?.count ?? 0, left_out: leftOut };
}

/**
 * Queues the selected messages that failed again, as if they had never been tried: the oldest first, 1,000 at
 * most. Waits for a concurrent call, and then refuses: no message is queued twice.
 * @param expected how many can be sent again, as it was confirmed
 * @throws Refusal `messages_changed`
 */
export async function queueSelectedAgain(
  tx: WriteTx,
  { table, selected, reason }: RetrySelection,
  { expected, at }: { expected: number; at: RawBuilder<unknown> },
): Promise<{ queued: number; remaining: number }> {
  const sendable = sql`${selected} AND m.state = 'failed' AND ${reason} IS NULL`;
  const count = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count ${sendable}`.execute(tx.sql);
    return rows[0]?.count ?? 0;
  };
  if ((await count()) !== expected) throw new Refusal('messages_changed');
  const wanted = Math.min(expected, MOST_MESSAGES_RETRIED);
  const { numAffectedRows = 0n } = await sql`
    UPDATE ${sql.table(table)} SET state = 'queued', attempts = 0, due_at = ${at}, problem = NULL, problem_detail = NULL
    WHERE id IN (SELECT m.id ${sendable} ORDER BY m.created_at, m.id LIMIT ${wanted} FOR UPDATE OF m)`.execute(
    tx.sql,
  );
  // If another call queued some of them meanwhile, the limit took later ones instead: the remaining count
  // shows it.
  const remaining = await count();
  if (Number(numAffectedRows) !== wanted || remaining !== expected - wanted)
    throw new Refusal('messages_changed');
  return { queued: wanted, remaining };
}
