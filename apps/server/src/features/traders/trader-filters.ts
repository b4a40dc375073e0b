import type { CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import { orderBy, type SortKey } from '../../platform/db/lists/keyset.ts';
import { conditionsOf, containing } from '../../platform/db/lists/list-query.ts';
import { communityInScope, providerInScope } from '../../platform/db/scope-filter.ts';

export type TraderFilters = Omit<CallParsed<'GET /api/traders/export'>['query'], 'orderBy' | 'orderDir'> & {
  /** The ids of the matching traders, which replace a search with few matches. See `resolveSearch`. */
  found?: readonly string[];
};

export type TraderOrder = 'aum' | 'reference_number' | 'telegram_username' | 'created_at';

/** Up to this depth of a list, a common text is compared row by row. Beyond it, all matches are found first. */
const NEAR = 500;

/**
 * Conditions over `seen`: all but the tab's.
 * @param upTo how many matching traders are needed; null for all
 */
export function traderConditions(
  tx: AnyTx,
  filters: TraderFilters,
  upTo: number | null,
): RawBuilder<unknown>[] {
  const isNear = upTo !== null && upTo <= NEAR;
  return conditionsOf(filters, {
    community_id: (id) => sql`seen.community_id = ${id}`,
    search: (part) =>
      filters.search_in === 'other'
        ? sql`seen.reference_sort NOT LIKE ${containing(part)}
            AND ${isNear ? otherwiseContains(tx, part) : otherwiseFound(part)}`
        : sql`seen.reference_sort LIKE ${containing(part)}`,
    search_in: () => null,
    found: (ids) => sql`seen.id = ANY (${[...ids]}::uuid[])`,
    provider_id: (id) => sql`EXISTS (SELECT FROM trader_provider f WHERE f.trader_id = seen.id
      AND f.provider_id = ${id} AND ${providerInScope(tx, 'f.provider_id')})`,
    exchange: (exchange) => sql`EXISTS (SELECT FROM exchange_account f WHERE f.trader_id = seen.id
      AND f.exchange = ${exchange} AND f.removed_at IS NULL AND ${providerInScope(tx, 'f.provider_id')})`,
    below_minimum_balance: (isAsked) => {
      if (!isAsked) return null;
      // Staff see only a part of a trader's AUM, which is not enough to decide this.
      if (tx.scope.kind !== 'all') return isNear ? isMarkedAlone(tx) : isAmongMarked;
      return sql`EXISTS (SELECT FROM (${minimums(tx)}) m WHERE m.id = seen.community_id AND ${isBelow} OFFSET 0)`;
    },
    // Counted by tab, so it is a condition of the list alone: `tabConditions`.
    tab: () => null,
  });
}

/**
 * Whether a text of a trader other than its reference number contains a part: like `app.search_traders`, without ids
 * and hashes of invoices. OFFSET makes PostgreSQL look up each trader of the walk instead of comparing all texts first.
 */
const otherwiseContains = (tx: AnyTx, part: string) => sql`EXISTS (SELECT FROM trader_text w
  WHERE w.trader_id = seen.id AND w.kind <> 'reference'
    AND (w.provider_id IS NULL OR ${providerInScope(tx, 'w.provider_id')}) AND w.value LIKE ${containing(part)} OFFSET 0)`;

/** The same for all matches: the function finds them in an index first. */
const otherwiseFound = (part: string) => sql`seen.id IN (SELECT app.traders_with_text(${part}))`;

const minimums = (tx: AnyTx) => sql`SELECT m.id, m.minimum_balance FROM community m
  WHERE m.minimum_balance IS NOT NULL AND ${communityInScope(tx, 'm.id')}`;

/** For all traders in scope at once. */
const isAmongMarked = sql`seen.id IN (SELECT m.trader_id FROM app.trader_marks(NULL) m WHERE m.below_minimum IS NOT NULL)`;

/**
 * For the traders of a walk, one by one. A whole is no less than its part: the mark is asked for only where the part is
 * below the minimum.
 */
const isMarkedAlone = (tx: AnyTx) => sql`CASE WHEN EXISTS (SELECT FROM (${minimums(tx)}) m
    WHERE m.id = seen.community_id AND coalesce(seen.aum, 0) < m.minimum_balance OFFSET 0)
  THEN EXISTS (SELECT FROM app.trader_marks(ARRAY[seen.id]) k WHERE k.below_minimum IS NOT NULL) ELSE false END`;

/** The rule of `app.trader_marks`, for super admins, whose walk ends after a page. */
const isBelow = sql`coalesce(seen.aum, 0) < m.minimum_balance AND NOT EXISTS (SELECT FROM exchange_account x
  WHERE x.trader_id = seen.id AND x.removed_at IS NULL AND x.equity IS NULL)`;

/**
 * Whether a trader's AUM is within the largest minimum balance of all communities: the start of a walk by AUM. It holds
 * for the part that staff see as well, which is no more than the whole: their walk passed every richer trader first, and
 * took 5 times as long as the list without a filter at 100,000.
 */
export const withinMinimums = (tx: AnyTx): RawBuilder<unknown> =>
  sql`seen.aum_rank <= (SELECT coalesce(max(m.minimum_balance)::float8, '-Infinity') FROM (${minimums(tx)}) m)`;

/**
 * The filter for queries that read all traders anyway: a join evaluates the few communities once, not once per trader.
 */
export const joinedBelowMinimum = (tx: AnyTx): RawBuilder<unknown> =>
  sql`JOIN (${minimums(tx)} OFFSET 0) m ON m.id = seen.community_id AND ${isBelow}`;

/** The tab is the trader's own, for every caller: its accounts may be under providers that the caller does not see. */
export function tabConditions(tab: TraderFilters['tab']): RawBuilder<unknown>[] {
  if (!tab) return [];
  return [tab === 'none' ? sql`seen.tab IS NULL` : sql`seen.tab = ${tab}`];
}

export function where(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

/**
 * The order of a list. Missing values count as smallest, and the id breaks ties, so one index serves both directions.
 */
export function traderKeys(by: TraderOrder, direction: 'asc' | 'desc'): SortKey[] {
  const first = FIRST_KEYS[by];
  const isByAum = by === 'aum';
  const ties = isByAum === (direction === 'desc') ? 'asc' : 'desc';
  return [
    { ...first, direction },
    { column: 'seen.id', type: 'uuid', direction: ties },
  ];
}

const FIRST_KEYS = {
  aum: { column: 'seen.aum_rank', type: 'float8' },
  reference_number: { column: 'seen.reference_sort', type: 'text' },
  telegram_username: { column: 'seen.handle_sort', type: 'text' },
  created_at: { column: 'seen.created_at', type: 'timestamptz' },
} as const;

/** PostgreSQL knows that `= x` leaves one value but not that `IS NULL` does, so the order then includes the column. */
export function traderOrder(keys: readonly SortKey[], tab: TraderFilters['tab']): RawBuilder<unknown> {
  const isByAum = keys[0]?.column === 'seen.aum_rank';
  if (tab !== 'none' || !isByAum) return orderBy(keys);
  return sql`seen.tab ${keys[0]?.direction === 'desc' ? sql`ASC` : sql`DESC`}, ${orderBy(keys)}`;
}
