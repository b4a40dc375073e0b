import type { CallAnswer, CallParsed } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';

type MessagePage = CallAnswer<'GET /api/messages'>;
export type Message = MessagePage['data'][number];

const columns = sql`m.id, m.trader_id, m.invoice_id, m.kind, m.language, m.text, m.state, m.attempts, m.problem,
  CASE WHEN m.state = 'queued' THEN app.iso(m.due_at) END AS next_attempt_at, m.requested_by,
  app.iso(m.created_at) AS created_at, app.iso(m.sent_at) AS sent_at`;

/** A message is in scope with its provider, as long as its trader is: that may have gone to another provider. */
const isInScope = (tx: Tx) =>
  sql`${providerInScope(tx, 'm.provider_id')} AND ${traderInScope(tx, 'm.trader_id')}`;

/** Messages in scope, latest first. */
export async function listMessages(
  tx: Tx,
  {
    trader_id,
    invoice_id,
    state,
    limit,
    offset,
  }: CallParsed<'GET /api/messages'>['query'] & { limit: number; offset: number },
): Promise<{ data: Message[]; total: number }> {
  const matches = sql`${isInScope(tx)}
    ${trader_id ? sql`AND m.trader_id = ${trader_id}` : sql``}
    ${invoice_id ? sql`AND m.invoice_id = ${invoice_id}` : sql``}
    ${state ? sql`AND m.state = ${sql.lit(state)}` : sql``}`;
  const { rows } = await sql<{ data: Message[]; total: number }>`
    SELECT (SELECT count(*)::int FROM message m WHERE ${matches}) AS total,
      (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT ${columns} FROM message m WHERE ${matches}
        ORDER BY m.created_at DESC, m.id LIMIT ${limit} OFFSET ${offset}) r) AS data`.execute(tx.sql);
  return rows[0] ?? { data: [], total: 0 };
}

/** A message in scope, or null. */
export async function findMessage(tx: Tx, id: string): Promise<Message | null> {
  const { rows } = await sql<Message>`
    SELECT ${columns} FROM message m WHERE m.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  return rows[0] ?? null;
}
