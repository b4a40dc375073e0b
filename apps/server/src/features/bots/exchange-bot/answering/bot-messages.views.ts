import type { CallAnswer, CallParsed } from '@copydesk/contract';
import type { MESSAGE_STATES } from '@copydesk/domain/messages';
import { type RawBuilder, sql } from 'kysely';
import { conditionOf, type RetrySelection, type Selected } from '../../../../core/outbox/retry-selection.ts';
import type { AnyTx } from '../../../../platform/db/database.ts';
import { conditionsOf, containing } from '../../../../platform/db/lists/list-query.ts';
import { communityInScope } from '../../../../platform/db/scope-filter.ts';

export type BotMessage = CallAnswer<'GET /api/exchange-bot/{id}/messages'>['data'][number];
type ListedMessage = CallAnswer<'GET /api/exchange-bot-messages'>['data'][number];
type Counts = Pick<CallAnswer<'GET /api/exchange-bot-messages'>['meta'], 'states' | 'capped'>;
type State = (typeof MESSAGE_STATES)[number];

export type BotMessageFilters = Omit<
  CallParsed<'GET /api/exchange-bot-messages'>['query'],
  'limit' | 'offset'
> & {
  /** An id, or a column with one. */
  bot?: string | RawBuilder<unknown>;
};

interface Page {
  limit?: number | undefined;
  offset?: number | undefined;
}

const DEFAULT_PAGE = 25;
/** Sent messages are many: a list says "10,000" rather than count them all. */
const MOST_COUNTED = 10_000;

const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' } as const;
/** Direction marks isolate values in a chat; a list has no use for them. */
const plainText = (html: string) =>
  html
    .replace(/<[^>]*>|[\u2066-\u2069]/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

/** To people by a part of their name or Telegram name, or by their id: the contract has taken the "@" away. */
function toNamed(text: string): RawBuilder<unknown> {
  const part = containing(text);
  const isId = /^[1-9]\d{0,17}$/.test(text) ? sql`p.telegram_user_id = ${text}::bigint` : sql`false`;
  return sql`(m.bot_id, m.telegram_user_id) IN (SELECT p.bot_id, p.telegram_user_id FROM exchange_bot_chat p
    WHERE lower(p.name) LIKE ${part} OR lower(p.telegram_username) LIKE ${part} OR ${isId})`;
}

/** Conditions over a message `m`. */
function matching(filters: BotMessageFilters): RawBuilder<unknown> {
  const conditions = conditionsOf(filters, {
    bot: (id) => sql`m.bot_id = ${id}`,
    community_id: (id) => sql`m.bot_id = (SELECT o.id FROM exchange_bot o WHERE o.community_id = ${id})`,
    state: (state) => sql`m.state = ${sql.lit(state)}`,
    // Sent messages have no problem, so most messages are not looked at.
    problem: (problem) => sql`m.problem = ${problem} AND (m.state = 'failed' OR m.state = 'queued')`,
    search: toNamed,
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

/** Messages that match. A search finds people first, and then only their messages. */
const found = (filters: BotMessageFilters) =>
  filters.search === undefined
    ? sql`exchange_bot_message m WHERE ${matching(filters)}`
    : sql`(SELECT * FROM exchange_bot_message m WHERE ${matching(filters)} OFFSET 0) m`;

const columns = sql`m.id, m.telegram_user_id::text AS telegram_user_id, c.telegram_username, c.name, m.text, m.state,
  m.attempts, m.problem, app.iso(m.created_at) AS created_at, app.iso(m.sent_at) AS sent_at`;
const withPerson = sql`JOIN exchange_bot_chat c ON c.bot_id = m.bot_id AND c.telegram_user_id = m.telegram_user_id`;
const newestFirst = sql`ORDER BY m.created_at DESC, m.id`;

async function readMessages<M extends BotMessage>(tx: AnyTx, statement: RawBuilder<M>): Promise<M[]> {
  const { rows } = await statement.execute(tx.sql);
  return rows.map((row) => ({ ...row, text: plainText(row.text) }));
}

/** One page of them, newest first: further columns are read for its rows only. */
const pageOf = (filters: BotMessageFilters, { limit = DEFAULT_PAGE, offset = 0 }: Page) =>
  sql`(SELECT m.* FROM ${found(filters)} ${newestFirst} LIMIT ${limit} OFFSET ${offset}) m`;

/** A page of the messages of a bot, newest first. */
export const listBotMessages = (
  tx: AnyTx,
  bot: string,
  { state, ...page }: Page & { state?: State | undefined },
): Promise<BotMessage[]> =>
  readMessages(
    tx,
    sql<BotMessage>`SELECT ${columns} FROM ${pageOf({ bot, state }, page)} ${withPerson} ${newestFirst}`,
  );

/** A page of the messages of the bots of all communities, newest first. */
export const listAllBotMessages = (
  tx: AnyTx,
  filters: BotMessageFilters,
  page: Page,
): Promise<ListedMessage[]> =>
  readMessages(
    tx,
    sql<ListedMessage>`
      SELECT ${columns}, m.bot_id, b.community_id, o.name AS community FROM ${pageOf(filters, page)} ${withPerson}
      JOIN exchange_bot b ON b.id = m.bot_id
      JOIN community o ON o.id = b.community_id AND ${communityInScope(tx, 'o.id')} ${newestFirst}`,
  );

/** Messages that match, to count them: 10,000 at most. */
const countable = (filters: BotMessageFilters) =>
  sql`(SELECT FROM exchange_bot_message m WHERE ${matching(filters)} LIMIT ${MOST_COUNTED}) counted`;

/** The messages of a bot in a state, to count them: 10,000 at most. @param bot an id, or a column with one */
export const messagesOf = (bot: string | RawBuilder<unknown>, state: State | undefined) =>
  countable({ bot, state });

/** How many messages a bot has in a state, up to 10,000. */
export async function countBotMessages(tx: AnyTx, bot: string, state: State | undefined): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${messagesOf(bot, state)}`.execute(tx.sql);
  return rows[0]?.total ?? 0;
}

/** How many messages of all bots match in each state, up to 10,000, whatever the state that is asked for. */
export async function countAllBotMessages(tx: AnyTx, filters: BotMessageFilters): Promise<Counts> {
  const count = (state: State) => sql`(SELECT count(*)::int FROM ${countable({ ...filters, state })})`;
  const { rows } = await sql<Counts['states']>`
    SELECT ${count('queued')} AS queued, ${count('sent')} AS sent, ${count('failed')} AS failed`.execute(
    tx.sql,
  );
  const states = rows[0] ?? { queued: 0, sent: 0, failed: 0 };
  const isCapped = (state: State) => states[state] === MOST_COUNTED;
  return { states, capped: (['queued', 'sent', 'failed'] as const).filter(isCapped) };
}

export const findBotMessage = async (tx: AnyTx, bot: string, id: string): Promise<BotMessage | null> => {
  const one = sql<BotMessage>`
    SELECT ${columns} FROM exchange_bot_message m ${withPerson} WHERE ${matching({ bot })} AND m.id = ${id}`;
  return (await readMessages(tx, one))[0] ?? null;
};

/**
 * A selection of messages of bots, to be sent again. None is excluded: every recipient has written to the
 * bot.
 */
export function selectedBotMessages(asked: Selected<BotMessageFilters>): RetrySelection {
  const { condition, named } = conditionOf(asked, matching);
  return {
    table: 'exchange_bot_message',
    selected: sql`FROM exchange_bot_message m WHERE ${condition}`,
    reason: sql`NULL::text`,
    named,
  };
}
