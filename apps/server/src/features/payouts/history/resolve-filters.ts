import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type PayoutFilters, searchedBy, startOfHex } from './payout-filters.ts';

/** How many payouts a search may find for them to be looked up one by one. */
const FEW = 2_000;

/**
 * Filters that few payouts answer to become these payouts, found in the indexes of what is asked for: those of a
 * distribution, and a search. A search that many answer to stays as it is, and one that says nothing falls away.
 */
export async function resolveFilters(tx: Tx, filters: PayoutFilters): Promise<PayoutFilters> {
  const { distribution_id, ...others } = filters;
  const searched = await resolveSearch(tx, others);
  if (distribution_id === undefined) return searched;
  const { rows } = await sql<{ id: string }>`
    SELECT o.id FROM payout o WHERE o.distribution_id = ${distribution_id}`.execute(tx.sql);
  const searchFound = searched.found && new Set(searched.found);
  const found = rows.map(({ id }) => id).filter((id) => !searchFound || searchFound.has(id));
  return { ...searched, found };
}

async function resolveSearch(tx: Tx, filters: PayoutFilters): Promise<PayoutFilters> {
  const { search, ...others } = filters;
  if (search === undefined) return filters;
  // Every address begins so.
  if (startOfHex(search) === '0x') return others;
  const each = Object.values(searchedBy(search)).map(
    (condition) => sql`(SELECT o.id FROM payout o WHERE ${condition} LIMIT ${sql.lit(FEW)})`,
  );
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM (${sql.join(each, sql` UNION ALL `)}) o`.execute(tx.sql);
  const [row] = rows;
  return row && row.seen < FEW ? { ...others, found: row.found } : filters;
}
