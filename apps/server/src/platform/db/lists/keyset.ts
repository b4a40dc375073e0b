import { type RawBuilder, sql } from 'kysely';

export type KeyType = 'timestamptz' | 'float8' | 'numeric' | 'text' | 'uuid';
type Direction = 'asc' | 'desc';

/** One column of a list's order. The last column is unique, and none of them is NULL. */
export interface SortKey {
  column: string;
  type: KeyType;
  direction: Direction;
}

/** Rows of a page. With `after`, `offset` counts from the row behind it. */
export interface Reach {
  limit: number;
  offset: number;
  /** Texts of a row's sort keys, from `meta.next_cursor` of another page: this page begins after that row. */
  after?: readonly string[];
}

/** `ORDER BY` without its name. */
export function orderBy(keys: readonly SortKey[]): RawBuilder<unknown> {
  return sql.join(
    keys.map(
      ({ column, direction }) => sql`${sql.ref(column)} ${direction === 'desc' ? sql`DESC` : sql`ASC`}`,
    ),
  );
}

/**
 * The condition that a row comes after another in the order of the list, for use beside other conditions. The first
 * column has a bound of its own, since under row-level security an index takes leakproof comparisons only: those of
 * numeric are not leakproof, and a row comparison is leakproof only if each column's comparison is.
 */
export function isAfter(
  keys: readonly SortKey[],
  after: readonly string[] | undefined,
): RawBuilder<unknown>[] {
  const [first, ...others] = keys;
  if (!after || !first) return [];
  const bound = sql`${sql.ref(first.column)} ${first.direction === 'desc' ? sql`<=` : sql`>=`} ${boundOf(first, after[0])}`;
  if (others.some(({ direction }) => direction !== first.direction)) return [bound, chain(keys, after)];
  const columns = sql.join(keys.map(({ column }) => sql.ref(column)));
  const values = sql.join(keys.map((key, at) => boundOf(key, after[at])));
  return [bound, sql`(${columns}) ${first.direction === 'desc' ? sql`<` : sql`>`} (${values})`];
}

/** The same for columns in different directions. */
function chain(
  [key, ...others]: readonly SortKey[],
  [value, ...values]: readonly string[],
): RawBuilder<unknown> {
  if (!key) return sql`false`;
  const column = sql.ref(key.column);
  const beyond = sql`${column} ${key.direction === 'desc' ? sql`<` : sql`>`} ${boundOf(key, value)}`;
  return sql`(${beyond} OR (${column} = ${boundOf(key, value)} AND ${chain(others, values)}))`;
}

const boundOf = ({ type }: SortKey, value = '') => sql`${value}::${sql.raw(type)}`;

/**
 * The sort keys as columns `key_1`, `key_2` and so on, from which the outer statement makes a cursor of the last row.
 */
export function keyColumns(keys: readonly SortKey[]): RawBuilder<unknown> {
  return sql.join(keys.map(({ column }, at) => sql`${sql.ref(column)} AS ${sql.ref(`key_${at + 1}`)}`));
}

/** The same order over the columns from `keyColumns`. */
export const named = (keys: readonly SortKey[]): SortKey[] =>
  keys.map((key, at) => ({ ...key, column: `key_${at + 1}` }));

/** The largest offset. */
const DEEPEST = 10_000;

/**
 * How far into a list a page reaches, as a power of two above its offset. It is part of the statement's text, so that a
 * prepared plan knows it: without it PostgreSQL would sort the whole list for a page near its top. Each number adds one
 * prepared statement.
 */
export function reachOf({ offset, limit }: Reach): number {
  return limit + (offset === 0 ? 0 : Math.max(offset, Math.min(DEEPEST, 2 ** Math.ceil(Math.log2(offset)))));
}

/** The paging of a list as a query carries it. */
export interface Paging {
  limit?: number | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
}
