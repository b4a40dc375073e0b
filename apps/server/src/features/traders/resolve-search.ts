import { sql } from 'kysely';
import type { AnyTx } from '../../platform/db/database.ts';
import type { TraderFilters } from './trader-filters.ts';

/** Maximum number of search matches that are looked up one by one. */
const FEW = 1_000;
/** Length of a trigram. Shorter texts match very many rows, and a trigram index cannot find them. */
const SHORTEST = 3;

/** Whether answering a search needs a look at the data first. */
export const isResolvable = ({ search, search_in }: TraderFilters): boolean =>
  search !== undefined && (search_in === 'other' || search.length >= SHORTEST);

/**
 * Replaces a search with few matches by the ids of these traders: `app.search_traders` may use a trigram index for a
 * substring, which no statement under row-level security can. Any other search stays unchanged: the list walks its order
 * and compares each trader on the way, which soon fills a page.
 */
export async function resolveSearch<F extends TraderFilters>(tx: AnyTx, filters: F): Promise<F> {
  const { search, search_in = 'reference' } = filters;
  if (search === undefined || !isResolvable(filters)) return filters;
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM app.search_traders(${search}, ${search_in === 'reference'}, ${FEW}) id`.execute(tx.sql);
  const { found = [], seen = 0 } = rows[0] ?? {};
  const isSettled = seen < FEW || (search_in === 'other' && namesPayments(search));
  return isSettled ? { ...filters, search: undefined, search_in: undefined, found } : filters;
}

/**
 * Whether a text could begin the id of an invoice or the hash of a payment. Lists of traders are not compared with
 * these.
 */
function namesPayments(search: string): boolean {
  const text = search.toLowerCase();
  return /^[0-9a-f]{8,32}$/.test(text.replaceAll('-', '')) || /^0x[0-9a-f]{6,64}$/.test(text);
}
