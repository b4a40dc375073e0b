import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../database.ts';
import { type Reach, reachOf, type SortKey } from './keyset.ts';

/** One read of a socket returns up to 64 KiB, and fifty rows of the longest lists are smaller. */
export const ROWS_PER_PART = 50;

/** One page of a list: texts that form a JSON array when joined by commas, and its last row. */
export interface PageOfRows {
  parts: string[];
  rows: number;
  last: readonly string[] | null;
}

interface ListStatement {
  /** The columns of `walk` that identify a row. */
  ids: RawBuilder<unknown>;
  keys: readonly SortKey[];
  /** `SELECT <ids>, <keyColumns> ... ORDER BY <keys>` of all matches, which an index should serve. */
  walk: RawBuilder<unknown>;
  /** Named queries that the walk reads. */
  before?: RawBuilder<unknown>;
  /** Named queries that read `page`. */
  after?: RawBuilder<unknown>;
  /**
   * Joins from `page` to the columns of one row, the lateral `r`. A lateral with `OFFSET 0` keeps the order: PostgreSQL
   * finds the ids of the page first and then only reads these rows.
   */
  joins: RawBuilder<unknown>;
  /** The plan does not depend on the values of the filters. */
  keepsPlan?: boolean;
}

/** Reads a page of a list, which PostgreSQL writes as JSON. */
export async function readPage(
  tx: AnyTx,
  page: Reach,
  { ids, keys, walk, before, after, joins, keepsPlan = false }: ListStatement,
): Promise<PageOfRows> {
  const kept = keepsPlan ? keepPlan(tx) : undefined;
  const listed = sql<{ part: string; rows: number; last: string[] }>`
    WITH ${before ? sql`${before},` : sql``}
    page AS MATERIALIZED (
      SELECT ${ids}, ${keyNames(keys)}, row_number() OVER () AS position
      FROM (SELECT * FROM (${walk} LIMIT ${sql.lit(reachOf(page))}) reached
        OFFSET ${page.offset} LIMIT ${sql.lit(page.limit)}) found)
    ${after ? sql`, ${after}` : sql``}
    SELECT string_agg(row_to_json(r)::text, ',' ORDER BY position) AS part,
      (SELECT count(*)::int FROM page) AS rows, ${lastRow(keys)} AS last
    FROM page
    ${joins}
    ${byPart}`.execute(tx.sql);
  const [{ rows }] = await Promise.all([listed, kept]);
  return {
    parts: rows.map(({ part }) => part),
    rows: rows[0]?.rows ?? 0,
    last: rows[0]?.last ?? null,
  };
}

/**
 * `GROUP BY` and `ORDER BY` that aggregate the rows of `page` into parts: a list of 10,000 is sent in many parts and is
 * never in memory as a whole. The driver doubles a buffer until a part fits: parts of 500 rows cost the API 40 MB and
 * half as much processor time again.
 */
const byPart = sql`GROUP BY (position - 1) / ${sql.lit(ROWS_PER_PART)} ORDER BY (position - 1) / ${sql.lit(ROWS_PER_PART)}`;

/** The column names from `keyColumns`. */
const keyNames = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map((_, at) => sql.ref(`key_${at + 1}`)));

/** The texts of the sort keys of the last row of `page`, in its `position`. */
function lastRow(keys: readonly SortKey[]): RawBuilder<string[]> {
  const texts = keys.map(({ type }, at) => {
    const name = sql.ref(`key_${at + 1}`);
    return type === 'timestamptz' ? sql`(${name} AT TIME ZONE 'UTC')::text || '+00'` : sql`${name}::text`;
  });
  return sql`(SELECT ARRAY[${sql.join(texts)}] FROM page ORDER BY position DESC LIMIT 1)`;
}

/**
 * Makes PostgreSQL reuse plans for a scope of several providers. The planner assumes ten providers in a list that it does
 * not know, finds that plan expensive, and plans each request again: a third of a page's processor time.
 */
async function keepPlan(tx: AnyTx): Promise<void> {
  if (tx.scope.kind === 'providers' && tx.scope.providerIds.length > 1) await reusePlans(tx);
}

/**
 * Makes PostgreSQL reuse the plans of the following statements in this transaction. Only for statements whose plan does not
 * depend on their values.
 */
export async function reusePlans(tx: AnyTx): Promise<void> {
  await sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx.sql);
}
