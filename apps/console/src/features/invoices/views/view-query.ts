import { parseSearch, stringifySearch } from '../../../lib/search-params.ts';
import { type InvoicesSearch, readInvoicesSearch } from '../invoices-search.ts';

/** What of the address a view keeps: neither the page nor what is open beside the list. */
export function queryOf(search: InvoicesSearch): string {
  const { page: _page, invoice: _invoice, ...kept } = search;
  const query = stringifySearch(kept).slice(1);
  return new URLSearchParams(query).toString();
}

/** The screen that a view stands for, on its first page. What it does not name goes back to its default. */
export function searchOf(query: string): InvoicesSearch {
  const { invoice: _invoice, ...search } = readInvoicesSearch(parseSearch(query));
  return { ...search, page: undefined };
}

/** Two addresses of one view, whatever the order of their parameters. */
export function isSameView(a: string, b: string): boolean {
  const sorted = (query: string) => {
    const params = new URLSearchParams(query);
    params.sort();
    return params.toString();
  };
  return sorted(a) === sorted(b);
}
