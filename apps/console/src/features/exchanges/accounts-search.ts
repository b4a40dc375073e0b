import { EXCHANGES } from '@copydesk/domain/catalogue';
import { ACCOUNT_STATES, EXCHANGE_PROBLEM_CODES } from '@copydesk/domain/trading';
import { exchangeName } from '../../lib/format/exchange-name.ts';
import { definePagedList } from '../../lib/list/define-paged-list.ts';
import { among, choice, recordOf, search, toggle } from '../../lib/list/filters.ts';
import { PROBLEM_NAMES } from './account-texts.ts';

const exchanges = EXCHANGES.map((value) => ({ value, label: exchangeName(value) }));
const problems = EXCHANGE_PROBLEM_CODES.map((value) => ({ value, label: PROBLEM_NAMES[value] }));

export const accountsList = definePagedList({
  filters: {
    search: search('search'),
    problem: choice('Cause', 'problem', problems),
    ending: toggle('Key ends soon', 'key_ends_soon'),
    exchange: choice('Exchange', 'exchange', exchanges),
    provider: recordOf('Provider', 'provider_id', 'providers'),
    community: recordOf('Community', 'community_id', 'communities'),
  },
  // The tab, with a count for each.
  rest: { state: among(ACCOUNT_STATES) },
  kept: ['state'],
  columns: ['unread_for', 'equity'],
  sizes: [25, 50, 100],
  rows: 50,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type AccountsSearch = ReturnType<typeof accountsList.read>;
export type AccountsFilters = ReturnType<typeof accountsList.complete> & Pick<AccountsSearch, 'state'>;

/** The URL, completed with the defaults. */
export const accountsFrom = (search: AccountsSearch): AccountsFilters => ({
  ...accountsList.complete(search),
  state: search.state,
});
