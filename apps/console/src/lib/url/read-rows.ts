import { type ListPage, REACH, type Wanted } from './deep-paging.ts';

let last: { list: string; total: number } | undefined;

/**
 * Reads rows at any depth of a list. The code for rows beyond the reach of offsets loads with the first of
 * them.
 */
export async function readDeepRows<P extends ListPage>(wanted: Wanted<P>): Promise<P> {
  const { list, first, rows, direction: orderDir, read, signal } = wanted;
  if (first > REACH) {
    const { deepPages } = await import('./deep-pages.ts');
    return deepPages(wanted, last?.list === list ? last.total : undefined);
  }
  const page = await read({ limit: String(rows), offset: String(first), orderDir }, signal);
  last = { list, total: page.meta.total };
  return page;
}
