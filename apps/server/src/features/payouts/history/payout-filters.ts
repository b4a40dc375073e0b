import type { CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Paging, SortKey } from '../../../platform/db/keyset.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';

export type ListQuery = CallParsed<'GET /api/sweep-operations/admin/all'>['query'];
export type PayoutSort = NonNullable<ListQuery['orderBy']>;
export type PayoutFilters = Omit<ListQuery, 'orderBy' | 'orderDir' | keyof Paging> & {
  /** Instead of filters that few payouts answer to: which these are. See `resolveFilters`. */
  found?: readonly string[];
};

/**
 * The rows of `payout_provider` or `payout_sum` that a caller may see: the whole of each payout, or the parts of its
 * providers. Row-level security says the same a second time.
 */
export function ownRows(tx: Tx, alias: 's' | 'e'): RawBuilder<unknown> {
  const provider = sql.ref(`${alias}.provider_id`);
  if (tx.scope.kind === 'all') return sql`${provider} IS NULL`;
  return sql`${provider} IS NOT NULL AND ${providerInScope(tx, `${alias}.provider_id`)}`;
}

/** Of the parts of one payout that a caller may see, the first: what is counted is counted once. */
export function isFirstPart(tx: Tx): RawBuilder<boolean> {
  if (tx.scope.kind === 'all' || tx.scope.providerIds.length === 1) return sql<boolean>`true`;
  const mine = [...tx.scope.providerIds];
  // Nearly all payouts are of one provider, and need no look at the others.
  return sql<boolean>`(cardinality(s.provider_ids) = 1 OR s.provider_id = (
    SELECT p FROM unnest(s.provider_ids) p WHERE p = ANY (${mine}::uuid[]) ORDER BY p LIMIT 1))`;
}

/** Conditions over columns that `payout_provider s` and `payout_sum s` both have, each with its `AND`. */
export function kindConditions({ community_id, recipient_type, status }: PayoutFilters): RawBuilder<unknown> {
  return sql`${community_id ? sql`AND s.community_id = ${community_id}` : sql``}
    ${recipient_type ? sql`AND s.recipient_type = ${sql.lit(recipient_type)}` : sql``}
    ${status ? sql`AND s.status = ${sql.lit(status)}` : sql``}`;
}

/** How far into a list each payout is looked up for a search; further down all matches are found first. */
const NEAR = 100;

/**
 * All conditions over `payout_provider s`, each with its `AND`.
 * @param upTo how many of the payouts that match are wanted; null for all
 */
export function payoutConditions(filters: PayoutFilters, upTo: number | null): RawBuilder<unknown> {
  const { created_at_from: from, created_at_to: to, search, found } = filters;
  const isFound = found ? sql`AND s.payout_id = ANY (${[...found]}::uuid[])` : sql``;
  const isNear = upTo !== null && upTo <= NEAR;
  const searched = search ? sql`AND ${isNear ? isFoundAlone(search) : isAmongFound(search)}` : sql``;
  return sql`${kindConditions(filters)} ${isFound} ${searched}
    ${from ? sql`AND s.created_at >= ${startOf(from)}` : sql``} ${to ? sql`AND ${endsBy(to)}` : sql``}`;
}

export const isDay = (text: string) => text.length === 10;
const startOf = (from: string) => sql`${isDay(from) ? `${from}T00:00:00Z` : from}::timestamptz`;
const endsBy = (to: string) =>
  isDay(to)
    ? sql`s.created_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`
    : sql`s.created_at <= ${to}::timestamptz`;

/** What an address or a hash begins with that is searched for. */
export function startOfHex(search: string): string {
  const text = search.toLowerCase();
  return text.startsWith('0x') ? text : `0x${text}`;
}

/**
 * That an address or a hash of the payout begins so. OFFSET has each payout of a walk looked up, instead of all
 * that match collected before the first.
 */
const isFoundAlone = (search: string) => sql`EXISTS (SELECT FROM payout o
  WHERE o.id = s.payout_id AND (${sql.join(Object.values(searchedBy(search)), sql` OR `)}) OFFSET 0)`;

/** The same for all payouts: each of the indexes answers alone. */
const isAmongFound = (search: string) =>
  sql`s.payout_id IN (${sql.join(
    Object.values(searchedBy(search)).map((condition) => sql`SELECT o.id FROM payout o WHERE ${condition}`),
    sql` UNION ALL `,
  )})`;

/** A condition over `o` for each of the columns: a range of bytes, which an index can be asked for. */
export function searchedBy(search: string) {
  const start = startOfHex(search);
  // The letter that comes after the last of hexadecimal digits ends the range.
  const range = (column: RawBuilder<unknown>) =>
    sql`(${column} COLLATE "C" >= ${start} AND ${column} COLLATE "C" < ${`${start}g`})`;
  return {
    recipient: range(sql`o.recipient_search`),
    consolidation: range(sql`o.consolidate_transaction_hash`),
    distribution: range(sql`o.distribute_transaction_hash`),
  };
}

/** The order of a list over `s`, shares or sums of them. The id breaks ties in the direction of the column, so that one index serves both. */
export function payoutKeys(by: PayoutSort, direction: 'asc' | 'desc'): SortKey[] {
  const key = (name: string, type: SortKey['type']): SortKey => ({ column: `s.${name}`, type, direction });
  const ends = [key('payout_id', 'uuid')];
  switch (by) {
    case 'created_at':
      return [key('created_at', 'timestamptz'), ...ends];
    case 'amount':
      return [key('amount_rank', 'float8'), key('amount_units', 'numeric'), ...ends];
    case 'status':
      return [key('status', 'text'), key('created_at', 'timestamptz'), ...ends];
  }
}
