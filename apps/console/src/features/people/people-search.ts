import { definePagedList } from '../../lib/list/define-paged-list.ts';
import { choice, recordOf, search } from '../../lib/list/filters.ts';

export const PAGE_SIZES = [25, 50, 100] as const;

export const peopleList = definePagedList({
  filters: {
    search: search('search'),
    role: choice('Role', 'role', [
      { value: 'super', label: 'Super admins' },
      { value: 'staff', label: 'Staff' },
      { value: 'no_access', label: 'Without a provider' },
      { value: 'not_admin', label: 'Not an admin' },
    ]),
    state: choice('State', 'state', [
      { value: 'active', label: 'Active' },
      { value: 'invited', label: 'Invited' },
      { value: 'unconfirmed', label: 'Unconfirmed' },
      { value: 'disabled', label: 'Disabled' },
    ]),
    provider: recordOf('Provider', 'provider_id', 'providers'),
  },
  rest: {},
  columns: ['created_at'],
  sizes: PAGE_SIZES,
  rows: 25,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type PeopleSearch = ReturnType<typeof peopleList.read>;
export type PeopleFilters = ReturnType<typeof peopleList.complete>;
export const { read: readPeopleSearch, complete: peopleFrom, rowsParam, wire: wireFilters } = peopleList;
