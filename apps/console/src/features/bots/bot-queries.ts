import type { CallAnswer } from '@copydesk/contract';
import type { Language } from '@copydesk/domain/catalogue';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { type SalesFilters, salesList } from './sales/sales-search.ts';

export type Bot = CallAnswer<'GET /api/exchange-bot/{id}'>['data'];
/** One of the list, with how it does. */
export type ListedBot = CallAnswer<'GET /api/exchange-bots'>['data'][number];
export type Plan = CallAnswer<'GET /api/exchange-bot/{id}/pricing'>['data'][number];
export type Coupon = CallAnswer<'GET /api/exchange-bot/{id}/coupons'>['data'][number];
export type Faq = CallAnswer<'GET /api/exchange-bot/{id}/custom-faqs'>['data'][number];

export type Sale = CallAnswer<'GET /api/exchange-bot/{id}/sales'>['data'][number];
export type Subscriber = CallAnswer<'GET /api/exchange-bot/{id}/subscribers'>['data'][number];

export type BotText = CallAnswer<'GET /api/exchange-bot/{id}/texts'>['data'][number];

export const botKeys = { all: ['exchange-bot'] } as const;

/** Bots raise no change events: they are read again when the screen opens, and after every act. */
const fresh = { staleTime: 10_000, refetchOnMount: true } as const;

/** null: the community has no bot. */
export const communityBotQuery = (communityId: string) =>
  queryOptions({
    ...fresh,
    // The worker notes how its reading goes.
    refetchInterval: 30_000,
    queryKey: [...botKeys.all, 'community', communityId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/community/{id}', { params: { id: communityId }, signal })).data,
  });

export const botsQuery = queryOptions({
  ...fresh,
  refetchInterval: 30_000,
  queryKey: [...botKeys.all, 'list'],
  queryFn: async ({ signal }) => (await call('GET /api/exchange-bots', { signal })).data,
});

export const plansQuery = (botId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...botKeys.all, 'plans', botId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/{id}/pricing', { params: { id: botId }, signal })).data,
  });

export const couponsQuery = (botId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...botKeys.all, 'coupons', botId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/{id}/coupons', { params: { id: botId }, signal })).data,
  });

export const faqsQuery = (botId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...botKeys.all, 'faqs', botId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/{id}/custom-faqs', { params: { id: botId }, signal })).data,
  });

/** Rows of a page of subscribers or failed messages. */
export const BOT_PAGE_ROWS = 10;

/** Orders are paid on the chain, without an act here. */
const live = { ...fresh, refetchInterval: 30_000 } as const;

const pageOf = (page: number, rows = BOT_PAGE_ROWS) => ({
  limit: String(rows),
  offset: String((page - 1) * rows),
});

export const salesQuery = (botId: string, { rows, page, sort: _, ...filters }: SalesFilters) =>
  queryOptions({
    ...live,
    queryKey: [...botKeys.all, 'sales', botId, filters, rows, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/exchange-bot/{id}/sales', {
        params: { id: botId },
        query: { ...salesList.wire(filters), ...pageOf(page, rows) },
        signal,
      }),
  });

export type Order = CallAnswer<'GET /api/exchange-bot/invoices/{id}'>['data'];

export const orderQuery = (id: string) =>
  queryOptions({
    ...live,
    queryKey: [...botKeys.all, 'order', id],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/invoices/{id}', { params: { id }, signal })).data,
  });

/** How many orders a saved view has. */
export const countSalesQuery = (botId: string, view: string) => {
  const { sort: _, rows: __, page: ___, ...filters } = salesList.complete(salesList.read(parseSearch(view)));
  return queryOptions({
    ...fresh,
    queryKey: [...botKeys.all, 'count of a view', botId, filters],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/exchange-bot/{id}/sales', {
          params: { id: botId },
          query: { ...salesList.wire(filters), limit: '1' },
          signal,
        })
      ).meta.total,
  });
};

export const saleFiguresQuery = (botId: string) =>
  queryOptions({
    ...live,
    queryKey: [...botKeys.all, 'figures', botId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/{id}/sales/figures', { params: { id: botId }, signal })).data,
  });

export const subscribersQuery = (botId: string, page: number) =>
  queryOptions({
    ...live,
    queryKey: [...botKeys.all, 'subscribers', botId, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/exchange-bot/{id}/subscribers', { params: { id: botId }, query: pageOf(page), signal }),
  });

export const textsQuery = (botId: string, language: Language) =>
  queryOptions({
    ...fresh,
    queryKey: [...botKeys.all, 'texts', botId, language],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot/{id}/texts', { params: { id: botId }, query: { language }, signal }))
        .data,
  });

export const failedMessagesQuery = (botId: string, page: number) =>
  queryOptions({
    ...live,
    queryKey: [...botKeys.all, 'failed messages', botId, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/exchange-bot/{id}/messages', {
        params: { id: botId },
        query: { state: 'failed', ...pageOf(page) },
        signal,
      }),
  });
