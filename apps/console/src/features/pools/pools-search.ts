import { searchedText } from '@copydesk/domain/text';
import { defineList } from '../../lib/list/define-list.ts';
import { search, toggle, type ValuesOf } from '../../lib/list/filters.ts';
import { needsAction } from './harvest-texts.ts';
import type { PooledAccount } from './pools-queries.ts';

export const poolsList = defineList({
  filters: { search: search('search'), action: toggle('Action required', 'action') },
  rest: {},
  columns: ['community'],
});

/** The parameters of the screen's URL. A missing one has its default. */
export type PoolsSearch = ReturnType<typeof poolsList.read>;
export type PoolsFilters = ValuesOf<typeof poolsList.filters>;

/** The pools that match. All of them are in the browser. */
export function narrowPools(
  pools: readonly PooledAccount[],
  { search: text, action }: PoolsFilters,
): readonly PooledAccount[] {
  const wanted = searchedText(text ?? '').toLowerCase();
  return pools.filter(
    ({ community, current_harvest_cycle: { status } }) =>
      community.name.toLowerCase().includes(wanted) &&
      (action === undefined || String(needsAction(status)) === action),
  );
}
