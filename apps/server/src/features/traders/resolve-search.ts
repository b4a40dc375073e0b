import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { TraderFilters } from './trader-filters.ts';

/** How many traders a search may find for them to be looked up one by one. */
const FEW = 1_000;
/** Characters of a trigram. Less is found in very many numbers, and an index of trigrams knows nothing of it. */
const SHORTEST = 3;

/** Whether a page has to look at the data before it knows how to answer a search. */
export const isResolvable = ({ search, search_in }: TraderFilters): boolean =>
  search !== undefined && (search_in === 'other' || search.length >= SHORTEST);

/**
 * Whether many traders answer to a search. Then the list walks its order and compares each trader that it passes: it soon
 * has a page of these. Both ways give the same page, so the answer may be an old one.
 */
export async function isCommonSearch(tx: Tx, filters: TraderFilters): Promise<boolean> {
  const { found } = await resolveSearch(tx, filters);
  return found === undefined;
}

/**
 * A search that few traders answer to becomes these traders: `app.search_traders` may ask an index for a part of a text,
 * which no statement under row-level security can. Any other search stays as it is.
 */
export async function resolveSearch<F extends TraderFilters>(tx: Tx, filters: F): Promise<F> {
  const { search, search_in = 'reference' } = filters;
  if (search === undefined || !isResolvable(filters)) return filters;
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM app.search_traders(${search}, ${search_in === 'reference'}, ${FEW}) id`.execute(tx.sql);
  const { found = [], seen = 0 } = rows[0] ?? {};
  const isSettled = seen < FEW || (search_in === 'other' && namesPayments(search));
  return isSettled ? { ...filters, search: undefined, search_in: undefined, found } : filters;
}

/** Whether a text may begin the id of an invoice or the hash of a payment, which no list of traders is compared with. */
function namesPayments(search: string): boolean {
  const text = search.toLowerCase();
  return /^[0-9a-f]{8,32}$/.test(text.replaceAll('-', '')) || /^0x[0-9a-f]{6,64}$/.test(text);
}
