import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

export type Message = CallAnswer<'GET /api/messages'>['data'][number];

const columns = sql`m.id, m.trader_id, m.invoice_id, m.kind, m.language, m.text, m.state, m.attempts, m.problem,
  m.state = 'failed' AND (m.problem IS DISTINCT FROM 'no_chat' OR EXISTS (SELECT FROM trader t
    WHERE t.id = m.trader_id AND coalesce(t.telegram_user_id, '') <> '')) AS can_retry,
  CASE WHEN m.state = 'queued' THEN app.iso(m.due_at) END AS next_attempt_at, m.requested_by,
  app.iso(m.created_at) AS created_at, app.iso(m.sent_at) AS sent_at`;

/**
 * A message is in scope with its provider only while its trader is too, because the trader may have moved to another
 * provider. Messages to owners are shown with their pools.
 */
const isInScope = (tx: Tx) =>
  sql`m.trader_id IS NOT NULL AND ${providerInScope(tx, 'm.provider_id')} AND ${traderInScope(tx, 'm.trader_id')}`;

export type MessageFilters = Pick<
  CallParsed<'GET /api/messages'>['query'],
  'trader_id' | 'invoice_id' | 'state'
>;

const matching = (tx: Tx, { trader_id, invoice_id, state }: MessageFilters) => sql`${isInScope(tx)}
  ${trader_id ? sql`AND m.trader_id = ${trader_id}` : sql``}
  ${invoice_id ? sql`AND m.invoice_id = ${invoice_id}` : sql``}
  ${state ? sql`AND m.state = ${sql.lit(state)}` : sql``}`;

/** Messages in scope, latest first. */
export async function listMessages(
  tx: Tx,
  filters: MessageFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<Message[]> {
  const { rows } = await sql<Message>`
    SELECT ${columns} FROM message m WHERE ${matching(tx, filters)}
    ORDER BY m.created_at DESC, m.id LIMIT ${limit} OFFSET ${offset}`.execute(tx.sql);
  return rows;
}

export async function countMessages(tx: Tx, filters: MessageFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM message m WHERE ${matching(tx, filters)}`.execute(tx.sql);
  return rows[0]?.total ?? 0;
}

/** A message in scope, or null. */
export async function findMessage(tx: Tx, id: string): Promise<Message | null> {
  const { rows } = await sql<Message>`
    SELECT ${columns} FROM message m WHERE m.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  return rows[0] ?? null;
}
