import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { type PayoutFilters, searchedBy, startOfHex } from './payout-filters.ts';

/** Maximum number of search matches that are looked up one by one. */
const FEW = 2_000;

/** Every address begins with `0x`, so a shorter search matches everything. */
export const isSearching = ({ search }: PayoutFilters): boolean =>
  search !== undefined && startOfHex(search) !== '0x';

/**
 * Decides whether walking the list is cheaper for a page than looking up all search matches. A walk reads `total /
 * found` payouts for each row of a page of 20. Looking up one match costs about seven of these reads: its index entry,
 * its scope, its id on the way there and back, its share. Both ways return the same page, so cached counts are good
 * enough.
 */
export function isCommon({ found }: PayoutFilters, total: number): boolean {
  return found === undefined || 7 * found.length * found.length > 20 * total;
}

/**
 * Replaces filters that match few payouts with the ids of these payouts, found in the indexes of the filters: a
 * distribution or a search. A search with many matches stays unchanged, and one that matches everything is dropped.
 */
export async function resolveFilters(tx: AnyTx, filters: PayoutFilters): Promise<PayoutFilters> {
  const { distribution_id, ...others } = filters;
  const searched = await resolveSearch(tx, others);
  if (distribution_id === undefined) return searched;
  const { rows } = await sql<{ id: string }>`
    SELECT o.id FROM payout o WHERE o.distribution_id = ${distribution_id}`.execute(tx.sql);
  const searchFound = searched.found && new Set(searched.found);
  const found = rows.map(({ id }) => id).filter((id) => !searchFound || searchFound.has(id));
  return { ...searched, found };
}

/** Replaces a search that matches few payouts by their ids. */
export async function resolveSearch(tx: AnyTx, filters: PayoutFilters): Promise<PayoutFilters> {
  const { search, ...others } = filters;
  if (search === undefined) return filters;
  if (!isSearching(filters)) return others;
  const each = Object.values(searchedBy(search)).map(
    (condition) => sql`(SELECT o.id FROM payout o WHERE ${condition} LIMIT ${sql.lit(FEW)})`,
  );
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM (${sql.join(each, sql` UNION ALL `)}) o`.execute(tx.sql);
  const [row] = rows;
  return row && row.seen < FEW ? { ...others, found: row.found } : filters;
}
