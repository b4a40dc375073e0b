import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope } from '../../../platform/db/scope-filter.ts';
import {
  boundConditions,
  type InvoiceFilters,
  MOST_OTHER_MATCHES,
  referenceConditions,
} from './invoice-filters.ts';

/** Maximum number of groups for which a search looks up traders one by one. */
const FEW = 400;

/** Whether the data may allow replacing the filters with cheaper ones. */
export const isResolvable = ({ search, reference_number, ...filters }: InvoiceFilters): boolean =>
  search !== undefined || reference_number !== undefined || Object.keys(boundConditions(filters)).length > 0;

/**
 * Returns equivalent filters that cost less. It drops bounds that every invoice in scope satisfies, such as a range
 * over all days; the sums by trader often answer the rest. A search with few matches becomes the ids of these traders,
 * which have an index, while no index serves a substring under row-level security.
 */
export async function resolveFilters<F extends InvoiceFilters>(tx: AnyTx, filters: F): Promise<F> {
  const { search, reference_number } = filters;
  const settled = await withoutIdleBounds(tx, filters);
  if (reference_number === UNKNOWN_REFERENCE || !(search || reference_number)) return settled;
  if (search && (!reference_number || filters.search_in === 'other')) {
    const found = await searchTraders(tx, search, filters.search_in);
    return found === null ? settled : { ...settled, search: undefined, search_in: undefined, found };
  }
  const found = await findTraders(tx, filters);
  return found === null ? settled : { ...settled, search: undefined, reference_number: undefined, found };
}

/** Ids of the traders with invoices and a matching reference number; null when they exceed the maximum. */
async function findTraders(tx: AnyTx, filters: InvoiceFilters): Promise<string[] | null> {
  const inScope = tx.scope.kind === 'all' ? sql`g.is_whole` : sql`NOT g.is_whole`;
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT trader_id), '{}') AS found, count(*)::int AS seen FROM (
      SELECT g.trader_id FROM invoice_group g
      WHERE ${inScope} AND g.reference IS NOT NULL AND ${providerInScope(tx, 'g.provider_id')}
        ${referenceConditions(filters)}
      LIMIT ${sql.lit(FEW)}) g`.execute(tx.sql);
  const [row] = rows;
  return row && row.seen < FEW ? row.found : null;
}

/**
 * The same through an index, which serves substrings only this way. Returns only the first matches outside reference
 * numbers.
 */
async function searchTraders(
  tx: AnyTx,
  search: string,
  searchIn: InvoiceFilters['search_in'] = 'reference',
): Promise<string[] | null> {
  const { rows } = await sql<{ found: string[]; seen: number }>`
    SELECT coalesce(array_agg(DISTINCT id), '{}') AS found, count(*)::int AS seen
    FROM app.search_traders(${search}, ${searchIn === 'reference'}, ${searchIn === 'reference' ? FEW : MOST_OTHER_MATCHES}) id`.execute(
    tx.sql,
  );
  const { found = [], seen = 0 } = rows[0] ?? {};
  return searchIn === 'reference' && seen >= FEW ? null : found;
}

async function withoutIdleBounds<F extends InvoiceFilters>(tx: AnyTx, filters: F): Promise<F> {
  // A bound that the first invoice on its side satisfies holds for all. Searching for a first invoice beyond the bound
  // would be no faster: row-level security compares amounts row by row because numeric is not leakproof.
  const first = (column: string, way: 'ASC' | 'DESC') => sql`(
    SELECT ${sql.ref(`i.${column}`)} FROM invoice i WHERE ${providerInScope(tx, 'i.provider_id')}
    ORDER BY ${column === 'amount_units' ? sql`i.amount_rank ${sql.raw(way)},` : sql``}
      ${sql.ref(`i.${column}`)} ${sql.raw(way)} LIMIT 1)`;
  const bounds = Object.entries(
    boundConditions(filters, {
      latest: first('created_at', 'ASC'),
      earliest: first('created_at', 'DESC'),
      largest: first('amount_units', 'ASC'),
      smallest: first('amount_units', 'DESC'),
    }),
  );
  if (bounds.length === 0) return filters;
  const isIdle = bounds.map(([name, condition]) => sql`${condition} AS ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, boolean | null>>`SELECT ${sql.join(isIdle)}`.execute(tx.sql);
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !rows[0]?.[name])) as F;
}
