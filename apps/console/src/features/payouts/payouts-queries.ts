import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

export type Pending = CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>;
/** What one address is owed for one role. */
export type RecipientLine = Pending['recipients'][number];
/** What is owed to one address and cannot be paid now. */
export type HeldLine = Pending['held'][number];
export type Distribution = CallAnswer<'GET /api/super-admin/communities/{id}/distributions'>['data'][number];
export type ExternalWallet = NonNullable<
  CallAnswer<'GET /api/communities/{id}'>['data']['wallets']
>['external'];
export type PayPlan = CallAnswer<'POST /api/super-admin/communities/{id}/distribute'>['data'];
/** A payout of a distribution. */
export type PayoutOf = CallAnswer<'GET /api/communities/{id}/sweep-operations'>['data'][number];
export type FrozenWallet = CallAnswer<'GET /api/super-admin/wallets'>['data'][number];

/** All of them begin the same: whatever payout changes makes every one out of date. */
export const payoutsKeys = {
  all: ['payouts'],
  pending: (communityId: string) => ['payouts', 'pending', communityId],
} as const;

/** What is owed changes with every order as well, of which no payout tells. */
const READ_AGAIN_MS = 30_000;
const fresh = { staleTime: 0, refetchOnMount: true, refetchInterval: READ_AGAIN_MS } as const;

const FOLLOW_EVERY_MS = 10_000;
const hasEnded = ({ status }: PayoutOf) => status === 'distributed' || status === 'failed';

/** What a community owes and nobody has begun to pay out. */
export const pendingQuery = (communityId: string) =>
  queryOptions({
    ...fresh,
    queryKey: payoutsKeys.pending(communityId),
    queryFn: ({ signal }) =>
      call('GET /api/super-admin/communities/{id}/pending-distributions', {
        params: { id: communityId },
        signal,
      }),
  });

export const distributionsQuery = (communityId: string, page: number, rows: number) =>
  queryOptions({
    queryKey: [...payoutsKeys.all, 'distributions', communityId, page],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/super-admin/communities/{id}/distributions', {
        params: { id: communityId },
        query: { limit: String(rows), offset: String((page - 1) * rows) },
        signal,
      }),
    // What comes to a standstill sends no event.
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ progress }) => progress !== null && progress !== 'done') ? FOLLOW_EVERY_MS : false,
  });

const AWAITING_AT_MOST = 25;

/** Distributions of any community that another super admin has to approve. */
export const awaitingQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'awaiting'],
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/distributions/awaiting', {
      query: { limit: String(AWAITING_AT_MOST) },
      signal,
    }),
});

/** The payout addresses of a community that were changed. */
export const changedAddressesQuery = (communityId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'addresses', communityId],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/super-admin/communities/{id}/payout-addresses', {
          params: { id: communityId },
          signal,
        })
      ).data,
  });

export const walletBalanceQuery = (communityId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'balance', communityId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/communities/{id}/wallet-balance', { params: { id: communityId }, signal })).data,
  });

export const withdrawableQuery = (communityId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'withdrawable', communityId],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/communities/{id}/available-for-withdrawal', {
          params: { id: communityId },
          signal,
        })
      ).data,
  });

const FROZEN_AT_MOST = 100;

/** Wallets that nothing is sent from. A wallet that freezes tells nobody by itself. */
export const frozenWalletsQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'frozen'],
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/wallets', { query: { limit: String(FROZEN_AT_MOST) }, signal }),
});

/** More than a distribution can have. */
const ALL = '10000';

/** The payouts of a distribution as they are now. */
export const payoutsOfQuery = (communityId: string, distributionId: string) =>
  queryOptions({
    queryKey: [...payoutsKeys.all, 'of', distributionId],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/communities/{id}/sweep-operations', {
        params: { id: communityId },
        query: { distribution_id: distributionId, orderBy: 'amount', orderDir: 'desc', limit: ALL },
        signal,
      });
      return data;
    },
    // Events say it sooner; a stream that was cut says nothing.
    refetchInterval: ({ state: { data } }) => (data?.every(hasEnded) ? false : FOLLOW_EVERY_MS),
  });
