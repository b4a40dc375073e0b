import { parseSearch, stringifySearch } from '../../../lib/url/search-params.ts';
import { type InvoicesSearch, readInvoicesSearch } from '../invoices-search.ts';

/** The part of the URL that a view saves: neither the page nor the open invoice. */
export function queryOf(search: InvoicesSearch): string {
  const { page: _page, invoice: _invoice, ...kept } = search;
  const query = stringifySearch(kept).slice(1);
  return new URLSearchParams(query).toString();
}

/** The screen of a view, on its first page. Parameters that the view does not name get their defaults. */
export function searchOf(query: string): InvoicesSearch {
  const { invoice: _invoice, ...search } = readInvoicesSearch(parseSearch(query));
  return { ...search, page: undefined };
}

/** Whether two URLs are the same view, whatever the order of their parameters. */
export function isSameView(a: string, b: string): boolean {
  const sorted = (query: string) => {
    const params = new URLSearchParams(query);
    params.sort();
    return params.toString();
  };
  return sorted(a) === sorted(b);
}
