import type { InvoiceFilters } from './invoices-search.ts';

export const invoicesKeys = {
  all: ['invoices'],
  lists: ['invoices', 'list'],
  groups: (filters: InvoiceFilters) => ['invoices', 'list', 'groups', filters],
  /** Refreshed with the lists: a new invoice takes unmatched payments. */
  unmatched: ['invoices', 'list', 'unmatched'],
  differences: ['invoices', 'list', 'differences'],
  details: ['invoices', 'detail'],
  detail: (id: string) => ['invoices', 'detail', id],
  record: (id: string) => ['invoices', 'detail', id, 'record'],
  runs: ['invoices', 'runs'],
} as const;
