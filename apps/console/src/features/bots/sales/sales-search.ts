import { definePagedList } from '../../../lib/list/define-paged-list.ts';
import { choice } from '../../../lib/list/filters.ts';

export const SALE_STATES = [
  { value: 'pending', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;

export const salesList = definePagedList({
  filters: { state: choice('State', 'status', SALE_STATES) },
  rest: {},
  columns: ['created_at'],
  sizes: [10, 25, 50],
  rows: 10,
});

/** The parameters of the screen's URL: its orders. A missing one has its default. */
export type SalesSearch = ReturnType<typeof salesList.read>;
export type SalesFilters = ReturnType<typeof salesList.complete>;
