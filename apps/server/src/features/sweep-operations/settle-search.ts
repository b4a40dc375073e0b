import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { type SweepFilters, searchedBy, startOfHex } from './sweep-filters.ts';

/** How many operations a search may find for them to be looked up one by one. */
const FEW = 2_000;

/**
 * A search that few operations answer to becomes these operations, found in the indexes of what is searched. One that
 * many answer to stays as it is, and one that says nothing falls away.
 */
export async function settleSearch(tx: Tx, filters: SweepFilters): Promise<SweepFilters> {
  const { search, ...others } = filters;
  if (search === undefined) return filters;
  // Every address begins so.
  if (startOfHex(search) === '0x') return others;
  const each = Object.values(searchedBy(search)).map(
    (condition) => sql`(SELECT o.id FROM sweep_operation o WHERE ${condition} LIMIT ${sql.lit(FEW)})`,
  );
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM (${sql.join(each, sql` UNION ALL `)}) o`.execute(tx.sql);
  const [row] = rows;
  return row && row.seen < FEW ? { ...others, found: row.found } : filters;
}
