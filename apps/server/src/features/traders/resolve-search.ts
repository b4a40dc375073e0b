import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { TraderFilters } from './trader-filters.ts';

/** How many traders a search may find for them to be looked up one by one. */
const FEW = 1_000;
/** Characters of a trigram. Less is found in very many numbers, and an index of trigrams knows nothing of it. */
const SHORTEST = 3;

/**
 * A search that few traders answer to becomes these traders: `app.search_traders` may ask an index for a part of a text,
 * which no statement under row-level security can. A reference number that many answer to stays as it is, since a page of
 * these is found soon; of anything else the first matches are taken.
 */
export async function resolveSearch<F extends TraderFilters>(tx: Tx, filters: F): Promise<F> {
  const { search, search_in = 'reference' } = filters;
  if (search === undefined || (search_in === 'reference' && search.length < SHORTEST)) return filters;
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM app.search_traders(${search}, ${search_in === 'reference'}, ${FEW}) id`.execute(tx.sql);
  const { found = [], seen = 0 } = rows[0] ?? {};
  const isSettled = seen < FEW || search_in === 'other';
  return isSettled ? { ...filters, search: undefined, search_in: undefined, found } : filters;
}
