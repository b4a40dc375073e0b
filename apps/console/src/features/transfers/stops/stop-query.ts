import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

export type Stop = NonNullable<CallAnswer<'GET /api/payments/stop'>['data']['stop']>;
export type Lift = NonNullable<Stop['lift']>;

export const stopKeys = { all: ['payment-stop'] } as const;

/** Stops and how they were lifted, the newest first. Keys share their prefix, so a stop reads it again. */
export const stopsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...stopKeys.all, 'history', limit],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/payments/stops', { query: { limit: String(limit) }, signal }),
  });

/** A change comes with the event stream; this is for a stream that is cut. */
const ASK_EVERY_MS = 30_000;

/** Whether all payments are stopped; for super admins with the reason. */
export const stopQuery = queryOptions({
  queryKey: stopKeys.all,
  queryFn: async ({ signal }) => (await call('GET /api/payments/stop', { signal })).data,
  refetchInterval: ASK_EVERY_MS,
});
