import type { CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import type { ExportedList } from '../../../platform/http/exported-list.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { traderExists } from '../trader-exists.views.ts';

type Query = CallParsed<'GET /api/traders/{id}/closed-positions'>['query'];
type HistoryFilters = Omit<Query, 'limit' | 'offset'>;

/** A page of closed positions as the text of a JSON array. It walks the index of its order. */
export async function listClosedPositions(
  tx: AnyTx,
  traderId: string,
  filters: HistoryFilters,
  page: { limit: number; offset: number },
): Promise<string> {
  const { rows } = await sql<{ data: string }>`
    SELECT coalesce(json_agg(row_to_json(r)), '[]')::text AS data FROM (
      SELECT c.id, c.symbol, c.side, c.entry_price::text, c.exit_price::text, trim_scale(c.leverage)::text AS leverage,
        c.closed_pnl::text, c.fees_included, a.exchange, app.iso(c.closed_at) AS date,
        app.iso(c.created_at) AS created_at, a.acc_uid
      FROM (SELECT * FROM closed_position c WHERE ${conditions(tx, traderId, filters)}
        ORDER BY ${order(filters)} LIMIT ${page.limit} OFFSET ${page.offset}) c
      JOIN exchange_account a ON a.id = c.account_id
      ORDER BY ${order(filters)}) r`.execute(tx.sql);
  return rows[0]?.data ?? '[]';
}

/**
 * The number of matches, their profit, and the number of matches with unknown profit. Summed by days, which are few,
 * unless a symbol is given.
 */
export async function sumClosedPositions(tx: AnyTx, traderId: string, filters: HistoryFilters) {
  const { from, to, acc_uid } = filters;
  const sums = filters.symbol
    ? sql`SELECT count(*)::int AS total, coalesce(sum(c.closed_pnl), 0) AS net_profit,
          (count(*) FILTER (WHERE c.closed_pnl IS NULL))::int AS unknown_profit
        FROM closed_position c WHERE ${conditions(tx, traderId, filters)}`
    : sql`SELECT coalesce(sum(d.positions), 0)::int AS total, coalesce(sum(d.closed_pnl), 0) AS net_profit,
          coalesce(sum(d.unknown_profit), 0)::int AS unknown_profit
        FROM closed_position_day d
        WHERE d.trader_id = ${traderId} AND ${providerInScope(tx, 'd.provider_id')}
          ${from ? sql`AND d.day >= ${from}::date` : sql``} ${to ? sql`AND d.day <= ${to}::date` : sql``}
          ${acc_uid ? sql`AND d.account_id IN (${accountsNamed(traderId, acc_uid)})` : sql``}`;
  const { rows } = await sql<{ total: number; net_profit: string; unknown_profit: number }>`
    SELECT total, trim_scale(net_profit)::text AS net_profit, unknown_profit FROM (${sums}) s`.execute(
    tx.sql,
  );
  return rows[0] ?? { total: 0, net_profit: '0', unknown_profit: 0 };
}

/** The statement of the export: the same rows in the same order. */
function exportStatement(tx: AnyTx, traderId: string, filters: HistoryFilters) {
  return sql`
    SELECT app.iso(c.closed_at) AS closed_at, c.symbol, c.side, c.entry_price::text, c.exit_price::text,
      trim_scale(c.leverage)::text AS leverage, c.contracts::text, c.closed_pnl::text, c.fees_included, a.exchange,
      a.acc_uid, p.display_name AS provider, c.venue_id
    FROM closed_position c
    JOIN exchange_account a ON a.id = c.account_id JOIN provider p ON p.id = c.provider_id
    WHERE ${conditions(tx, traderId, filters)} ORDER BY ${order(filters)}`.compile(tx.sql);
}

const COLUMNS = {
  closed_at: 'Closed at',
  symbol: 'Symbol',
  side: 'Side',
  entry_price: 'Entry Price',
  exit_price: 'Exit Price',
  leverage: 'Leverage',
  contracts: 'Size',
  closed_pnl: 'PnL (USD)',
  fees_included: 'Fees included',
  exchange: 'Exchange',
  acc_uid: 'Account',
  provider: 'Provider',
  venue_id: 'Position ID',
};

/** The closed positions of a trader as a file. */
export const positionExport: ExportedList<'GET /api/traders/{id}/closed-positions/export'> = {
  name: 'closed-positions',
  columns: COLUMNS,
  async prepare(tx, { params: { id }, query }) {
    if (!(await traderExists(tx, id))) throw new Refusal('not_found');
    return {
      count: async (reading) => (await sumClosedPositions(reading, id, query)).total,
      statement: (reading) => exportStatement(reading, id, query),
    };
  },
};

function conditions(tx: AnyTx, traderId: string, filters: HistoryFilters): RawBuilder<unknown> {
  const { from, to, symbol, acc_uid } = filters;
  const parts = [sql`c.trader_id = ${traderId}`, sql`${providerInScope(tx, 'c.provider_id')}`];
  if (from) parts.push(sql`c.closed_at >= ${from}::date::timestamp AT TIME ZONE 'UTC'`);
  if (to) parts.push(sql`c.closed_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`);
  if (symbol) parts.push(sql`c.symbol = ${symbol.toUpperCase()}`);
  if (acc_uid) parts.push(sql`c.account_id IN (${accountsNamed(traderId, acc_uid)})`);
  return sql.join(parts, sql` AND `);
}

const accountsNamed = (traderId: string, accUid: string) =>
  sql`SELECT a.id FROM exchange_account a WHERE a.trader_id = ${traderId} AND a.acc_uid = ${accUid}`;

function order({ orderBy = 'closed_at', orderDir = 'desc' }: HistoryFilters): RawBuilder<unknown> {
  const direction = orderDir === 'desc' ? sql`DESC` : sql`ASC`;
  switch (orderBy) {
    // The id breaks ties as in the index: ascending below newest first.
    case 'closed_at':
      return orderDir === 'desc' ? sql`c.closed_at DESC, c.id ASC` : sql`c.closed_at ASC, c.id DESC`;
    case 'symbol':
      return sql`c.symbol ${direction}, c.closed_at ${direction}, c.id ${direction}`;
    case 'closed_pnl':
      return sql`c.closed_pnl ${direction}, c.id ${direction}`;
  }
}
