import type { CallAnswer } from '@copydesk/contract';
import type { ListedAccount } from '@copydesk/contract/exchanges';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { type AccountsFilters, accountsFrom, accountsList } from './accounts-search.ts';

export type { ListedAccount };
export type AccountsAnswer = CallAnswer<'GET /api/accounts'>;

const KEY = 'accounts';
/** A reading that fails changes no figure, and sends no event. */
const READ_AGAIN_MS = 30_000;

/** The filters and the order of the list, as its call takes them. */
export const accountFilters = ({ state, sort, rows: _, page: __, ...filters }: AccountsFilters) => ({
  ...accountsList.wire(filters),
  state,
  orderBy: sort.column,
  orderDir: sort.direction,
});

export const accountsQuery = (filters: AccountsFilters) => {
  const { rows, page } = filters;
  const query = { ...accountFilters(filters), limit: String(rows), offset: String((page - 1) * rows) };
  return queryOptions({
    queryKey: [KEY, 'list', query],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/accounts', { query, signal }),
  });
};

/** How many accounts a saved view has. */
export const countAccountsQuery = (view: string) => {
  const query = accountFilters(accountsFrom(accountsList.read(parseSearch(view))));
  return queryOptions({
    staleTime: READ_AGAIN_MS,
    queryKey: [KEY, 'count of a view', query],
    queryFn: async ({ signal }) =>
      (await call('GET /api/accounts', { query: { ...query, limit: '1' }, signal })).meta.total,
  });
};
