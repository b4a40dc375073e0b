import { defineList } from '../../../lib/list/define-list.ts';
import { search } from '../../../lib/list/filters.ts';

/** The default comes first: the order of the ranks. */
const SORT_COLUMNS = ['aum', 'traders', 'created', 'name'] as const;

export const communitiesList = defineList({
  filters: { search: search('search') },
  rest: {},
  columns: SORT_COLUMNS,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type CommunitiesSearch = ReturnType<typeof communitiesList.read>;
export type CommunitiesFilters = ReturnType<typeof communitiesList.complete>;
