import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { MessageOutcome } from '@copydesk/domain/messages';
import { type RawBuilder, sql } from 'kysely';
import { conditionOf, type RetrySelection, type Selected } from '../../core/outbox/retry-selection.ts';
import type { AnyTx, Tx } from '../../platform/db/database.ts';
import { conditionsOf, containing } from '../../platform/db/lists/list-query.ts';
import { providerInScope, traderInScope } from '../../platform/db/scope-filter.ts';
import { type TraderSearch, tradersFound } from '../traders/found-traders.views.ts';
import { isNotDelivered, isOfRecalled } from './message-outcomes.ts';

export type Message = CallAnswer<'GET /api/messages'>['data'][number];
type Query = CallParsed<'GET /api/messages'>['query'];

export type MessageFilters = Omit<Query, 'search' | 'limit' | 'offset'> & {
  /** Whom they are for: a search, and the traders that it was resolved to. */
  addressee?: { text: string; traders: TraderSearch };
};

/** The outcomes of a message `m`: each message has one. */
const IN_OUTCOME: Readonly<Record<MessageOutcome, RawBuilder<unknown>>> = {
  not_delivered: isNotDelivered,
  waiting: sql`m.state = 'queued'`,
  sent: sql`m.state = 'sent'`,
  overtaken: sql`m.state = 'failed' AND NOT ${isNotDelivered}`,
};

const outcomeOf = sql`CASE WHEN m.state = 'queued' THEN 'waiting' WHEN m.state = 'sent' THEN 'sent'
  WHEN ${isNotDelivered} THEN 'not_delivered' ELSE 'overtaken' END`;

/**
 * The text without the targets of its links: a reader with the owner's link could report a withdrawal as the
 * owner.
 */
const shownText = sql`regexp_replace(m.text, '</?a( [^>]*)?>', '', 'g')`;

/** Of a message `m` that failed, beside its trader `t` and community `c`: no Telegram id was missing, or it is known by now. */
const hasChat = sql`(m.problem IS DISTINCT FROM 'no_chat' OR CASE WHEN m.trader_id IS NULL
  THEN c.owner_telegram_id IS NOT NULL ELSE coalesce(t.telegram_user_id, '') <> '' END)`;

/** Of a message `m` beside its trader `t`, community `c` and provider `p`. */
const columns = sql`m.id, m.trader_id,
  coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(m.trader_id::text, 8)) AS trader,
  c.id AS community_id, c.name AS community, p.display_name AS provider_name,
  m.invoice_id, m.kind, m.language, ${shownText} AS text, m.state, ${outcomeOf} AS outcome, m.attempts, m.problem,
  m.state = 'failed' AND ${hasChat} AS can_retry,
  CASE WHEN m.state = 'queued' THEN app.iso(m.due_at) END AS next_attempt_at, m.requested_by,
  app.iso(m.created_at) AS created_at, app.iso(m.sent_at) AS sent_at`;

const beside = sql`LEFT JOIN trader t ON t.id = m.trader_id
  LEFT JOIN community c ON c.id = coalesce(m.community_id, t.community_id)
  LEFT JOIN provider p ON p.id = m.provider_id`;

/**
 * A message is in scope with its provider only while its trader is too, because the trader may have moved to another
 * provider. Those to owners of communities are for whoever sees all.
 */
const isInScope = (tx: AnyTx) =>
  tx.scope.kind === 'all'
    ? sql`true`
    : sql`m.trader_id IS NOT NULL AND ${providerInScope(tx, 'm.provider_id')} AND ${traderInScope(tx, 'm.trader_id')}`;

/** Conditions over a message `m`: all but the outcome's. */
function matching(tx: AnyTx, filters: MessageFilters): RawBuilder<unknown> {
  const narrowing = conditionsOf(filters, {
    outcome: () => null,
    trader_id: (id) => sql`m.trader_id = ${id}`,
    invoice_id: (id) => sql`m.invoice_id = ${id}`,
    run_id: (id) => sql`m.invoicing_run_id = ${id}`,
    state: (state) => sql`m.state = ${sql.lit(state)}`,
    kind: (kind) => sql`m.kind = ${kind}`,
    problem: (problem) => sql`m.problem = ${problem}`,
    provider_id: (id) => sql`m.provider_id = ${id}`,
    community_id: (id) => sql`(m.community_id = ${id}
      OR m.trader_id IN (SELECT ofc.id FROM trader ofc WHERE ofc.community_id = ${id}))`,
    addressee: ({ text, traders }) => sql`(m.trader_id IN (${tradersFound(tx, traders)})
      OR m.community_id IN (SELECT named.id FROM community named WHERE lower(named.name) LIKE ${containing(text)}))`,
  });
  return sql.join([isInScope(tx), ...narrowing], sql` AND `);
}

/** Messages in scope, latest first. */
export async function listMessages(
  tx: AnyTx,
  filters: MessageFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<Message[]> {
  const ofOutcome = filters.outcome ? sql`AND ${IN_OUTCOME[filters.outcome]}` : sql``;
  const { rows } = await sql<Message>`
    SELECT ${columns} FROM (
      SELECT * FROM message m WHERE ${matching(tx, filters)} ${ofOutcome}
      ORDER BY m.created_at DESC, m.id LIMIT ${limit} OFFSET ${offset}) m
    ${beside} ORDER BY m.created_at DESC, m.id`.execute(tx.sql);
  return rows;
}

export type MessageCounts = Record<MessageOutcome, number>;

/** Counts by outcome of all that match, whatever the outcome that is asked for. */
export async function countMessages(tx: AnyTx, filters: MessageFilters): Promise<MessageCounts> {
  const matches = matching(tx, filters);
  const { rows } = await sql<MessageCounts>`
    SELECT n.waiting::int, n.sent::int, n.not_delivered::int, (n.failed - n.not_delivered)::int AS overtaken
    FROM (SELECT count(*) FILTER (WHERE m.state = 'queued') AS waiting, count(*) FILTER (WHERE m.state = 'sent') AS sent,
        count(*) FILTER (WHERE m.state = 'failed') AS failed,
        (SELECT count(*) FROM message m WHERE ${matches} AND ${isNotDelivered}) AS not_delivered
      FROM message m WHERE ${matches}) n`.execute(tx.sql);
  return rows[0] ?? { not_delivered: 0, waiting: 0, sent: 0, overtaken: 0 };
}

/** A message in scope, or null. */
export async function findMessage(tx: Tx, id: string): Promise<Message | null> {
  const { rows } = await sql<Message>`
    SELECT ${columns} FROM message m ${beside} WHERE m.id = ${id} AND ${isInScope(tx)}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** A selection of messages in scope, to be sent again. */
export function selectedMessages(tx: Tx, asked: Selected<MessageFilters>): RetrySelection {
  const { condition, named } = conditionOf(asked, (filters) => {
    const { outcome } = filters;
    return outcome ? sql`${matching(tx, filters)} AND ${IN_OUTCOME[outcome]}` : matching(tx, filters);
  });
  return {
    table: 'message',
    selected: sql`FROM message m ${beside} WHERE ${condition} AND ${isInScope(tx)}`,
    reason: sql`CASE WHEN ${isOfRecalled} THEN 'recalled' WHEN NOT ${hasChat} THEN 'no_chat' END`,
    named,
  };
}
