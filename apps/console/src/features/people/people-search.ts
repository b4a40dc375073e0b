import { USER_ROLES, USER_STATES } from '@copydesk/domain/access';
import { among, createPagedSearch, filter } from '../../lib/url/list-search.ts';
import { text, uuid } from '../../lib/url/search-params.ts';

export const PAGE_SIZES = [25, 50, 100] as const;
const LONGEST_SEARCH = 200;

const list = createPagedSearch({
  filters: {
    search: filter((value: unknown) => text(value, LONGEST_SEARCH), 'search'),
    role: filter(among(USER_ROLES), 'role'),
    state: filter(among(USER_STATES), 'state'),
    provider: filter(uuid, 'provider_id'),
  },
  rest: {},
  columns: ['created_at'],
  sizes: PAGE_SIZES,
  rows: 25,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type PeopleSearch = ReturnType<typeof list.read>;
export type PeopleFilters = ReturnType<typeof list.complete>;
export const { read: readPeopleSearch, complete: peopleFrom, rowsParam, wire: wireFilters } = list;
