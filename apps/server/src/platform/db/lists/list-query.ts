import { type RawBuilder, sql } from 'kysely';
import type { Paging } from './keyset.ts';

interface ListQuery<By extends string> extends Paging {
  orderBy?: By | undefined;
  orderDir?: 'asc' | 'desc' | undefined;
}

/**
 * The parts of a list's query. Whatever is neither order nor paging is a filter: a filter that the contract gains reaches
 * the page, counts, cursors and export without being named again.
 * @param defaultBy the order of a list that does not ask for one; every order starts descending
 */
export function partsOfQuery<By extends string, Q extends ListQuery<By>>(
  query: Q & ListQuery<By>,
  defaultBy: By,
) {
  const { limit, offset, cursor, orderBy = defaultBy, orderDir = 'desc', ...filters } = query;
  return { filters, order: { orderBy, orderDir } as const, paging: { limit, offset, cursor } };
}

/** The condition that each filter sets on a list; null where its value alone restricts nothing. */
export type FilterConditions<F> = {
  [K in keyof Required<F>]: (value: NonNullable<F[K]>) => RawBuilder<unknown> | null;
};

/** Conditions of the filters that are set. A filter without an entry does not compile. */
export function conditionsOf<F extends object>(
  filters: F,
  conditions: FilterConditions<F>,
): RawBuilder<unknown>[] {
  return (Object.keys(conditions) as (keyof F)[]).flatMap((name) => {
    const value = filters[name];
    if (value === undefined || value === null) return [];
    return conditions[name](value as NonNullable<F[keyof F]>) ?? [];
  });
}

/** A text for a LIKE pattern, in lower case, with wildcards escaped. */
export const escaped = (part: string): string => part.toLowerCase().replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for a lower-case substring. */
export const containing = (part: string): string => `%${escaped(part)}%`;

/**
 * A column of names for ORDER BY, in the order that people read: whatever case, accents and database. Not for lists with
 * pages: no index has this order.
 */
export const byName = (column: string): RawBuilder<unknown> => sql`${sql.ref(column)} COLLATE app.names`;
