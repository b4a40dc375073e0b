import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

export type Found = CallAnswer<'GET /api/search'>['data'][number];

/** What a text names, in scope. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    enabled: text !== '',
    staleTime: 10_000,
    queryFn: async ({ signal }) => (await call('GET /api/search', { query: { q: text }, signal })).data,
  });
