import type { CallParsed } from '@copydesk/contract';
import { ACCOUNT_STATES, type AccountState } from '@copydesk/domain/trading';
import { type RawBuilder, sql } from 'kysely';
import { keyEndsSoon } from '../../../core/exchanges/accounts-for-new-key.views.ts';
import type { AnyTx } from '../../../platform/db/database.ts';
import { named, orderBy, type Reach, reachOf, type SortKey } from '../../../platform/db/lists/keyset.ts';
import { type PageOfRows, readPage } from '../../../platform/db/lists/list-page.ts';
import { conditionsOf } from '../../../platform/db/lists/list-query.ts';
import { resolveTraderSearch, type TraderSearch, tradersFound } from '../../traders/found-traders.views.ts';
import { IN_STATE, isConnected, isFailing, lastRead, stateOf, unreadAccounts } from './account-states.ts';

type Query = CallParsed<'GET /api/accounts'>['query'];
export type AccountFilters = Omit<Query, 'search' | 'orderBy' | 'orderDir' | 'limit' | 'offset'> & {
  /** Whose accounts these are: a search as it was resolved. */
  traders?: TraderSearch;
};
export type AccountOrder = Required<Pick<Query, 'orderBy' | 'orderDir'>>;

const unread = (tx: AnyTx) => sql`unread AS MATERIALIZED (${unreadAccounts(tx)})`;

/** Conditions over an account `a`: all but the state's. */
function conditions(tx: AnyTx, filters: AccountFilters): RawBuilder<unknown> {
  const narrowing = conditionsOf(filters, {
    state: () => null,
    problem: (code) => sql`a.read_error = ${code}`,
    // As Attention counts them.
    key_ends_soon: (isSoon) => (isSoon ? sql`${keyEndsSoon} AND NOT ${isFailing}` : null),
    exchange: (exchange) => sql`a.exchange = ${exchange}`,
    provider_id: (id) => sql`a.provider_id = ${id}`,
    community_id: (id) => sql`a.trader_id IN (SELECT t.id FROM trader t WHERE t.community_id = ${id})`,
    traders: (search) => sql`a.trader_id IN (${tradersFound(tx, search)})`,
  });
  return sql.join([isConnected(tx), ...narrowing], sql` AND `);
}

/** The order of a list. Which of the accounts that are read is the first does not matter. */
function keysOf({ orderBy: by, orderDir }: AccountOrder): SortKey[] {
  const id: SortKey = { column: 'id', type: 'uuid', direction: 'asc' };
  if (by === 'equity') return [{ column: 'equity', type: 'numeric', direction: orderDir }, id];
  const direction = orderDir === 'desc' ? 'asc' : 'desc';
  return [
    { column: 'rank', type: 'float8', direction: 'asc' },
    { column: 'since', type: 'timestamptz', direction },
    id,
  ];
}

function columnsOf(by: AccountOrder['orderBy'], state: AccountState): RawBuilder<unknown> {
  if (by === 'equity') return sql`coalesce(a.equity, '-Infinity') AS key_1, a.id AS key_2`;
  const since = state === 'read' ? sql`timestamptz 'infinity'` : lastRead;
  return sql`${sql.lit(ACCOUNT_STATES.indexOf(state))}::float8 AS key_1, ${since} AS key_2, a.id AS key_3`;
}

/** One page. Each state is read on its own, and no further than the page reaches: only few accounts are not read. */
export function listAccounts(tx: AnyTx, page: AccountFilters & AccountOrder & Reach): Promise<PageOfRows> {
  const keys = keysOf(page);
  const order = orderBy(named(keys));
  const states = page.state ? [page.state] : ACCOUNT_STATES;
  const parts = states.map(
    (
      state,
    ) => sql`(SELECT a.id, ${sql.lit(state)} AS state, ${columnsOf(page.orderBy, state)} FROM exchange_account a
      WHERE ${conditions(tx, page)} AND ${IN_STATE[state]} ORDER BY ${order} LIMIT ${sql.lit(reachOf(page))})`,
  );
  return readPage(tx, page, {
    ids: sql`id, state`,
    keys,
    before: unread(tx),
    walk: sql`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) found ORDER BY ${order}`,
    joins: sql`
    CROSS JOIN LATERAL (SELECT * FROM exchange_account a WHERE a.id = page.id AND ${isConnected(tx)} OFFSET 0) a
    CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = a.trader_id OFFSET 0) t
    JOIN provider p ON p.id = a.provider_id
    LEFT JOIN community c ON c.id = t.community_id
    LEFT JOIN account_reading g ON g.account_id = a.id
    CROSS JOIN LATERAL (SELECT a.id, a.trader_id,
      coalesce(t.reference_number, '@' || nullif(t.telegram_username, ''), t.name, left(t.id::text, 8)) AS trader,
      t.community_id, coalesce(c.name, 'Unknown Community') AS community, a.provider_id, p.display_name AS provider_name,
      a.exchange, a.acc_uid, a.account_type, trim_scale(a.equity)::text AS equity, app.iso(a.equity_read_at) AS equity_read_at,
      page.state, a.read_error AS problem,
      CASE WHEN page.state <> 'read' OR a.read_error IS NOT NULL THEN app.iso(${lastRead}) END AS since,
      CASE WHEN g.leased_until > now() THEN NULL ELSE app.iso(g.due_at) END AS next_read_at,
      coalesce(g.failures, 0) AS failures, a.may_withdraw,
      CASE WHEN ${keyEndsSoon} THEN app.iso(a.key_expires_at) END AS key_ends_at) r`,
  });
}

/** Whose accounts match: each trader once. */
export async function idsOfAccountHolders(
  tx: AnyTx,
  { search, orderBy: _, orderDir: __, ...given }: Omit<Query, 'limit' | 'offset'>,
): Promise<RawBuilder<unknown>> {
  const filters: AccountFilters = {
    ...given,
    ...(search !== undefined && { traders: await resolveTraderSearch(tx, search) }),
  };
  const ofState = filters.state ? IN_STATE[filters.state] : sql`true`;
  return sql`SELECT holder.id FROM (WITH ${unread(tx)} SELECT DISTINCT a.trader_id AS id FROM exchange_account a
    WHERE ${conditions(tx, filters)} AND ${ofState}) holder ORDER BY holder.id`;
}

export type AccountTotals = Record<AccountState, { count: number; equity: string }>;

/** Counts and last known equity by state of all that match, whatever the state that is asked for. */
export async function countAccounts(tx: AnyTx, filters: AccountFilters): Promise<AccountTotals> {
  const { rows } = await sql<{ state: AccountState; count: number; equity: string }>`
    WITH ${unread(tx)}
    SELECT s.state, count(*)::int AS count, trim_scale(coalesce(sum(s.equity), 0))::text AS equity
    FROM (SELECT ${stateOf} AS state, a.equity FROM exchange_account a WHERE ${conditions(tx, filters)}) s
    GROUP BY s.state`.execute(tx.sql);
  const none = { count: 0, equity: '0' };
  const totals: AccountTotals = { failing: none, unread: none, new: none, read: none };
  for (const { state, count, equity } of rows) totals[state] = { count, equity };
  return totals;
}
