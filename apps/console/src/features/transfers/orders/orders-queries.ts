import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';

export type Order = CallAnswer<'GET /api/orders'>['data'][number];

const READ_AGAIN_MS = 30_000;

/** Orders of one or any pool that wait for another super admin. Pools' keys share their prefix: their events read it again. */
export const waitingOrdersQuery = (poolId?: string) =>
  queryOptions({
    queryKey: ['pools', 'orders', poolId],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    queryFn: ({ signal }) =>
      call('GET /api/orders', { query: { limit: '25', ...(poolId && { pool_id: poolId }) }, signal }),
  });

/** One of them, asked again each time; null: it was decided. */
export const waitingOrderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['pools', 'orders', 'one', orderId],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/orders', { query: { order_id: orderId }, signal })).data[0] ?? null,
  });
