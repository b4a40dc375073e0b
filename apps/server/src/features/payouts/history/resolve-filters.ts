import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { type PayoutFilters, searchedBy, startOfHex } from './payout-filters.ts';

/** How many payouts a search may find for them to be looked up one by one. */
const FEW = 2_000;

/** Every address begins with `0x`: what is no longer than that says nothing. */
export const saysSomething = ({ search }: PayoutFilters): boolean =>
  search !== undefined && startOfHex(search) !== '0x';

/** How many payouts answer to a search, or null where they are more than few. */
export async function countFound(tx: Tx, filters: PayoutFilters): Promise<number | null> {
  const { found } = await resolveSearch(tx, filters);
  return found?.length ?? null;
}

/**
 * Whether a page of what a search finds costs less by walking the list than by looking up all that is found. A walk looks
 * at `total / found` payouts for each row of a page of 20; one that is found costs about seven of these looks: its
 * place in an index, its scope, its id on the way there and back, its share. Both ways give the same page, so the numbers may be old ones.
 */
export function isCommon(found: number | null, total: number): boolean {
  return found === null || 7 * found * found > 20 * total;
}

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
  if (!saysSomething(filters)) return others;
  const each = Object.values(searchedBy(search)).map(
    (condition) => sql`(SELECT o.id FROM payout o WHERE ${condition} LIMIT ${sql.lit(FEW)})`,
  );
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM (${sql.join(each, sql` UNION ALL `)}) o`.execute(tx.sql);
  const [row] = rows;
  return row && row.seen < FEW ? { ...others, found: row.found } : filters;
}
