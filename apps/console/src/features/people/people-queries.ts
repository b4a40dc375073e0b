import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { type PeopleFilters, peopleFrom, readPeopleSearch, wireFilters } from './people-search.ts';

export type Person = CallAnswer<'GET /api/users'>['data'][number];
export type PersonDetail = CallAnswer<'GET /api/users/{id}'>['data'];

export const peopleKeys = {
  all: ['people'],
  detail: (id: string) => ['people', 'detail', id],
} as const;

/** People raise no change events: they are read again when the screen opens, and after every act. */
const fresh = { staleTime: 15_000, refetchOnMount: true } as const;

export const peopleQuery = ({ rows, page, sort, ...filters }: PeopleFilters) =>
  queryOptions({
    ...fresh,
    queryKey: [...peopleKeys.all, 'list', filters, rows, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/users', {
        query: { ...wireFilters(filters), limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
  });

/** Super admins whom no other one has confirmed. */
export const unconfirmedQuery = queryOptions({
  ...fresh,
  queryKey: [...peopleKeys.all, 'unconfirmed'],
  queryFn: ({ signal }) => call('GET /api/users', { query: { state: 'unconfirmed', limit: '25' }, signal }),
});

/** How many people a saved view has. */
export const countPeopleQuery = (view: string) => {
  const { sort: _, rows: __, page: ___, ...filters } = peopleFrom(readPeopleSearch(parseSearch(view)));
  return queryOptions({
    ...fresh,
    queryKey: [...peopleKeys.all, 'count of a view', filters],
    queryFn: async ({ signal }) =>
      (await call('GET /api/users', { query: { ...wireFilters(filters), limit: '1' }, signal })).meta.total,
  });
};

export type Waiting = CallAnswer<'GET /api/waitlist'>['data'][number];

/** Who asks for access, longest first. */
export const waitlistQuery = queryOptions({
  ...fresh,
  queryKey: [...peopleKeys.all, 'waitlist'],
  queryFn: ({ signal }) => call('GET /api/waitlist', { query: { limit: '25' }, signal }),
});

export const personQuery = (id: string) =>
  queryOptions({
    ...fresh,
    queryKey: peopleKeys.detail(id),
    queryFn: async ({ signal }) => (await call('GET /api/users/{id}', { params: { id }, signal })).data,
  });

/** The first of the last days, UTC, as a filter has it. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Refused attempts of a person since a day, by kind. */
export const refusalsQuery = (id: string, from: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...peopleKeys.detail(id), 'refusals', from],
    queryFn: async ({ signal }) =>
      (await call('GET /api/audit/refusals/counts', { query: { actor_id: id, from }, signal })).data,
  });
