import { defineList } from '../../lib/list/define-list.ts';
import { search, toggle, type ValuesOf } from '../../lib/list/filters.ts';

export const poolsList = defineList({
  filters: { search: search('search'), action: toggle('Action required', 'action') },
  rest: {},
  columns: ['community'],
});

/** The parameters of the screen's URL. A missing one has its default. */
export type PoolsSearch = ReturnType<typeof poolsList.read>;
export type PoolsFilters = ValuesOf<typeof poolsList.filters>;
