import type { CallParsed } from '@copydesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import type { Paging, SortKey } from '../../../platform/db/lists/keyset.ts';
import { conditionsOf, containing, escaped } from '../../../platform/db/lists/list-query.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import { typedIds } from '../../../platform/http/search-source.ts';

export type ListQuery = CallParsed<'GET /api/sweep-operations/admin/all'>['query'];
export type PayoutSort = NonNullable<ListQuery['orderBy']>;
export type PayoutFilters = Omit<ListQuery, 'orderBy' | 'orderDir' | keyof Paging> & {
  /** The ids of the matching payouts, which replace filters with few matches. See `resolveFilters`. */
  found?: readonly string[];
};

/**
 * The rows of `payout_provider` or `payout_sum` that a caller may see: whole payouts, or the parts of the caller's
 * providers. Row-level security applies the same condition again.
 */
export function ownRows(tx: AnyTx, alias: 's' | 'e'): RawBuilder<unknown> {
  const provider = sql.ref(`${alias}.provider_id`);
  if (tx.scope.kind === 'all') return sql`${provider} IS NULL`;
  return sql`${provider} IS NOT NULL AND ${providerInScope(tx, `${alias}.provider_id`)}`;
}

/** True for the first visible part of a payout, so each payout is counted once. */
export function isFirstPart(tx: AnyTx): RawBuilder<boolean> {
  if (tx.scope.kind === 'all' || tx.scope.providerIds.length === 1) return sql<boolean>`true`;
  const mine = [...tx.scope.providerIds];
  // Nearly all payouts have one provider and need no lookup of the others.
  return sql<boolean>`(cardinality(s.provider_ids) = 1 OR s.provider_id = (
    SELECT p FROM unnest(s.provider_ids) p WHERE p = ANY (${mine}::uuid[]) ORDER BY p LIMIT 1))`;
}

const KINDS = {
  community_id: (id: string) => sql`s.community_id = ${id}`,
  recipient_type: (type: string) => sql`s.recipient_type = ${sql.lit(type)}`,
  status: (status: string) => sql`s.status = ${sql.lit(status)}`,
};

/** Conditions over columns that `payout_provider s` and `payout_sum s` both have, each with its `AND`. */
export function kindConditions({ community_id, recipient_type, status }: PayoutFilters): RawBuilder<unknown> {
  return allOf(conditionsOf({ community_id, recipient_type, status }, KINDS));
}

const allOf = (conditions: readonly RawBuilder<unknown>[]) =>
  sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );

/** Up to this depth of a list, a search checks payouts one by one. Beyond it, all matches are found first. */
const NEAR = 100;

/**
 * All conditions over `payout_provider s`, each with its `AND`.
 * @param upTo how many matching payouts are needed; null for all
 */
export function payoutConditions(filters: PayoutFilters, upTo: number | null): RawBuilder<unknown> {
  const isNear = upTo !== null && upTo <= NEAR;
  return allOf(
    conditionsOf(filters, {
      ...KINDS,
      found: (ids) => sql`s.payout_id = ANY (${[...ids]}::uuid[])`,
      search: (text) => (isNear ? isFoundAlone(text) : isAmongFound(text)),
      created_at_from: (from) => sql`s.created_at >= ${startOf(from)}`,
      created_at_to: endsBy,
      distribution_id: (id) =>
        sql`s.payout_id IN (SELECT o.id FROM payout o WHERE o.distribution_id = ${id})`,
    }),
  );
}

export const isDay = (text: string) => text.length === 10;
const startOf = (from: string) => sql`${isDay(from) ? `${from}T00:00:00Z` : from}::timestamptz`;
const endsBy = (to: string) =>
  isDay(to)
    ? sql`s.created_at < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`
    : sql`s.created_at <= ${to}::timestamptz`;

/** The prefix to search for in addresses and hashes. */
export function startOfHex(search: string): string {
  const text = search.toLowerCase();
  return text.startsWith('0x') ? text : `0x${text}`;
}

/**
 * Checks whether an address or a hash of one payout has this prefix. OFFSET makes PostgreSQL look up each payout of the
 * walk instead of collecting all matches first.
 */
const isFoundAlone = (search: string) => sql`EXISTS (SELECT FROM payout o
  WHERE o.id = s.payout_id AND (${sql.join(Object.values(searchedBy(search)), sql` OR `)}) OFFSET 0)`;

/** The same for all payouts: a separate query for each index. */
const isAmongFound = (search: string) =>
  sql`s.payout_id IN (${sql.join(
    Object.values(searchedBy(search)).map((condition) => sql`SELECT o.id FROM payout o WHERE ${condition}`),
    sql` UNION ALL `,
  )})`;

/** Shorter parts of a name are in nearly every name. */
const SHORTEST_NAME = 3;

/**
 * A condition over `o` for each thing that is searched: for columns a byte range that an index can answer, for payouts of
 * a community its few rows first.
 */
export function searchedBy(search: string) {
  const start = startOfHex(search);
  // `g` follows the last hexadecimal digit and ends the range.
  const range = (column: RawBuilder<unknown>) =>
    sql`(${column} COLLATE "C" >= ${start} AND ${column} COLLATE "C" < ${`${start}g`})`;
  const ids = typedIds(search);
  return {
    recipient: range(sql`o.recipient_search`),
    consolidation: range(sql`o.consolidate_transaction_hash`),
    distribution: range(sql`o.distribute_transaction_hash`),
    ...(ids && { id: sql`o.id BETWEEN ${ids[0]}::uuid AND ${ids[1]}::uuid` }),
    ...(search.length >= SHORTEST_NAME && {
      community: sql`o.community_id IN (SELECT c.id FROM community c
        WHERE lower(c.name) LIKE ${containing(search)} OR lower(c.internal_wallet_address) LIKE ${`${escaped(start)}%`})`,
    }),
  };
}

/**
 * The order of a list over `s`, which is shares or their sums. The id breaks ties in the direction of the column, so
 * one index serves both.
 */
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
