import type { CallAnswer } from '@copydesk/contract';
import { unitsToDecimal } from '@copydesk/domain/money';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import { byName, containing } from '../../../../platform/db/lists/list-query.ts';
import { communityInScope } from '../../../../platform/db/scope-filter.ts';
import type { FindNamed, FoundRow } from '../../../../platform/http/search-source.ts';
import { messagesOf } from '../answering/bot-messages.views.ts';
import { lasting } from '../sales/sales.views.ts';
import { soldSince, startOfDays } from '../sales/sales-figures.views.ts';

export type Bot = CallAnswer<'GET /api/exchange-bot/{id}'>['data'];
type ListedBot = CallAnswer<'GET /api/exchange-bots'>['data'][number];

const columns = sql`b.id, b.community_id, b.telegram_id::text AS telegram_id, b.username, b.name, b.language,
  b.is_active, b.problem, app.iso(b.checked_at) AS checked_at, app.iso(r.read_at) AS read_at,
  r.problem AS reading_problem, app.iso(r.problem_at) AS reading_problem_at, app.iso(b.created_at) AS created_at`;
const withReading = sql`exchange_bot b
  LEFT JOIN exchange_bot_reading r ON r.bot_id = b.id AND r.telegram_id = b.telegram_id`;

async function findWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<Bot | null> {
  const { rows } = await sql<Bot>`SELECT ${columns} FROM ${withReading} WHERE ${condition}`.execute(tx.sql);
  return rows[0] ?? null;
}

/** Bots by a part of their names or of their community's, or by their id at Telegram. Their page is the community's. */
export const findNamedBots: FindNamed = async (tx, text, most) => {
  const needle = text.toLowerCase().replace(/^@/, '');
  if (needle === '') return [];
  const { rows } = await sql<FoundRow>`
    SELECT c.id, '@' || b.username AS title, concat_ws(' · ', c.name, CASE WHEN NOT b.is_active THEN 'Off' END) AS note,
      NULL AS amount, NULL AS status, NULL AS at, ${needle} IN (lower(b.username), b.telegram_id::text) AS is_exact
    FROM exchange_bot b JOIN community c ON c.id = b.community_id
    WHERE lower(b.username) LIKE ${containing(needle)} OR lower(b.name) LIKE ${containing(needle)}
      OR lower(c.name) LIKE ${containing(needle)} OR b.telegram_id::text = ${needle}
    ORDER BY is_exact DESC, b.is_active DESC, ${byName('b.username')}, b.id LIMIT ${most}`.execute(tx.sql);
  return rows;
};

export const findBot = (tx: Tx, id: string) => findWhere(tx, sql`b.id = ${id}`);
export const findBotOfCommunity = (tx: Tx, communityId: string) =>
  findWhere(tx, sql`b.community_id = ${communityId}`);

/** The bots of all communities in scope, with figures of the last 30 days. Each is read by the indexes of its bot. */
export async function listBots(tx: Tx, now: Date): Promise<ListedBot[]> {
  const bot = sql`b.id`;
  const { rows } = await sql<Omit<ListedBot, 'sold_amount'> & { units: string }>`
    SELECT ${columns}, c.name AS community, c.is_archived, f.sold, f.units, u.subscribers,
      coalesce(o.open_orders, 0) AS open_orders, m.failed_messages
    FROM ${withReading} JOIN community c ON c.id = b.community_id AND ${communityInScope(tx, 'c.id')}
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS sold, coalesce(sum(s.price_units - s.discount_units), 0)::text AS units
      FROM ${soldSince(bot, startOfDays(30, now))}) f
    CROSS JOIN LATERAL (SELECT count(*)::int AS subscribers ${lasting(bot)}) u
    LEFT JOIN (SELECT s.bot_id, count(*)::int AS open_orders FROM exchange_bot_sale s
      WHERE s.sold_at IS NULL AND s.cancelled_because IS NULL GROUP BY s.bot_id) o ON o.bot_id = b.id
    CROSS JOIN LATERAL (SELECT count(*)::int AS failed_messages FROM ${messagesOf(bot, 'failed')}) m
    ORDER BY ${byName('c.name')}, b.id`.execute(tx.sql);
  return rows.map(({ units, ...row }) => ({ ...row, sold_amount: unitsToDecimal(BigInt(units)) }));
}
