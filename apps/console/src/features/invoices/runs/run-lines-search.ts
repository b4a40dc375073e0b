import { LINE_OUTCOMES } from '@copydesk/domain/invoices';
import { definePagedList } from '../../../lib/list/define-paged-list.ts';
import { among, search, toggle } from '../../../lib/list/filters.ts';

/** The traders of a run. */
export const runLinesList = definePagedList({
  filters: {
    search: search('search'),
    unreachable: toggle('Without Telegram ID', 'unreachable'),
  },
  // The tab, with a count for each.
  rest: { outcome: among(LINE_OUTCOMES) },
  kept: ['outcome'],
  columns: ['amount'],
  sizes: [50, 100, 200],
  rows: 50,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type LinesSearch = ReturnType<typeof runLinesList.read>;
export type LinesFilters = ReturnType<typeof runLinesList.complete> & Pick<LinesSearch, 'outcome'>;

/** The URL, completed with the defaults. */
export const linesFrom = (search: LinesSearch): LinesFilters => ({
  ...runLinesList.complete(search),
  outcome: search.outcome,
});
