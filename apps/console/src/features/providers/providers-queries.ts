import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../lib/api/read-retry.ts';
import { requireId } from '../../lib/api/require-id.ts';

export type ListedProvider = CallAnswer<'GET /api/providers'>['data'][number];
/** A provider as super admins get it: with its settings. */
export type Provider = CallAnswer<'POST /api/providers'>['data'];
export type LinkedCommunity = CallAnswer<'GET /api/providers/{id}/communities'>['data'][number];
export type ProviderExchange = CallAnswer<'GET /api/providers/{id}/exchanges'>['data'][number];

/** All keys share the directory's prefix: a change of any provider invalidates every one. */
export const providersKeys = {
  all: ['providers'],
  record: (id: string) => ['providers', id],
  history: (id: string) => ['providers', id, 'history'],
} as const;

const retry = { retry: retryUnless((status) => status >= 400 && status < 500, 3), retryDelay };

/** A provider with its settings, for super admins. */
export const providerQuery = (id: string) =>
  queryOptions({
    queryKey: [...providersKeys.record(id), 'settings'],
    staleTime: 30_000,
    refetchOnMount: true,
    ...retry,
    queryFn: async ({ signal }) => {
      requireId(id);
      const { data } = await call('GET /api/providers/{id}', { params: { id }, signal });
      if (data.created_at === undefined) throw new Error('Super admin access required');
      return data as Provider;
    },
  });

export const providerFiguresQuery = (id: string) =>
  queryOptions({
    queryKey: [...providersKeys.record(id), 'figures'],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/providers/{id}/figures', { params: { id }, signal })).data,
  });

export const linkedCommunitiesQuery = (id: string) =>
  queryOptions({
    queryKey: [...providersKeys.record(id), 'communities'],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/providers/{id}/communities', { params: { id }, signal })).data,
  });

export const providerExchangesQuery = (id: string) =>
  queryOptions({
    queryKey: [...providersKeys.record(id), 'exchanges'],
    staleTime: 30_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/providers/{id}/exchanges', { params: { id }, signal })).data,
  });

/** The newest changes of a provider's settings. */
export const providerHistoryQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...providersKeys.history(id), limit],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/providers/{id}/history', { params: { id }, query: { limit: String(limit) }, signal }),
  });
