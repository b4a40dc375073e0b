import type { CallAnswer, CallInput } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { payoutsKeys } from './payouts-keys.ts';

export type Pending = CallAnswer<'GET /api/super-admin/communities/{id}/pending-distributions'>;
/** The amount owed to one address in one role. */
export type RecipientLine = Pending['recipients'][number];
/** An amount owed to one address that cannot be paid now. */
export type HeldLine = Pending['held'][number];
/** What a community has to pay out. */
export type DueOfCommunity = CallAnswer<'GET /api/super-admin/pending-distributions'>['data'][number];
export type Distribution = CallAnswer<'GET /api/super-admin/communities/{id}/distributions'>['data'][number];
export type ExternalWallet = NonNullable<
  CallAnswer<'GET /api/communities/{id}'>['data']['wallets']
>['external'];
export type PayPlan = CallAnswer<'POST /api/super-admin/communities/{id}/distribute'>['data'];
/** What was paid to an address before. */
export type PaidRecipient = NonNullable<PayPlan['recipients']>[number];
/** A payout of a distribution. */
export type PayoutOf = CallAnswer<'GET /api/communities/{id}/sweep-operations'>['data'][number];
export type FrozenWallet = CallAnswer<'GET /api/super-admin/wallets'>['data'][number];

/** The pending amount also changes with every order, without a payout event. */
const READ_AGAIN_MS = 30_000;
const fresh = { staleTime: 0, refetchOnMount: true, refetchInterval: READ_AGAIN_MS } as const;

const FOLLOW_EVERY_MS = 10_000;
const hasEnded = ({ status }: PayoutOf) => status === 'distributed' || status === 'failed';

/** The shares that a community owes, without those in a payout. */
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

/** The same of every community, in sums. */
export const dueQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'due'],
  queryFn: ({ signal }) => call('GET /api/super-admin/pending-distributions', { signal }),
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
    // A standstill sends no event.
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ progress }) => progress !== null && progress !== 'done') ? FOLLOW_EVERY_MS : false,
  });

const AWAITING_AT_MOST = 25;

/** Distributions of one or any community that wait for another super admin's approval. */
export const awaitingQuery = (communityId?: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'awaiting', communityId],
    queryFn: ({ signal }) =>
      call('GET /api/super-admin/distributions/awaiting', {
        query: { limit: String(AWAITING_AT_MOST), ...(communityId && { community_id: communityId }) },
        signal,
      }),
  });

/**
 * What was paid before to each recipient of a distribution that awaits approval, as of when it is asked. Not among the
 * keys that a decision reads again: a decided one has none.
 */
export const paidRecipientsQuery = (distributionId: string) =>
  queryOptions({
    queryKey: ['paid-recipients', distributionId],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/super-admin/distributions/{id}/recipients', {
          params: { id: distributionId },
          signal,
        })
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });

/** A worker reads a new address on the chain within seconds. */
const UNREAD_AGAIN_MS = 5_000;
/** The interval of queries with changed addresses. */
const whileUnread = (changes: readonly { address: string | null; chain: unknown }[]) =>
  changes.some(({ address, chain }) => address !== null && chain === null) ? UNREAD_AGAIN_MS : READ_AGAIN_MS;

export type WaitingAddress = CallAnswer<'GET /api/super-admin/payout-addresses'>['data'][number];

/** Payout addresses of all owners that wait for a release. */
export const waitingAddressesQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'addresses', 'waiting'],
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/payout-addresses', { query: { limit: String(AWAITING_AT_MOST) }, signal }),
  refetchInterval: ({ state: { data } }) => whileUnread(data?.data ?? []),
});

/** One of them, asked again each time: it may have been released or replaced. */
export const waitingAddressQuery = (changeId: string) =>
  queryOptions({
    ...fresh,
    staleTime: 0,
    queryKey: [...payoutsKeys.all, 'addresses', 'waiting', changeId],
    queryFn: async ({ signal }) => {
      const query = { change_id: changeId, limit: '1' };
      return (await call('GET /api/super-admin/payout-addresses', { query, signal })).data[0] ?? null;
    },
  });

const RECIPIENTS = 'GET /api/super-admin/recipients';
export type RecipientsAnswer = CallAnswer<typeof RECIPIENTS>;
/** A recipient whom the platform pays, with the present address. */
export type Recipient = RecipientsAnswer['data'][number];

/** A page of everyone whom the platform pays. */
export const recipientsQuery = (query: CallInput<typeof RECIPIENTS>['query']) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'recipients', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(RECIPIENTS, { query, signal }),
    refetchInterval: ({ state: { data } }) =>
      whileUnread(data?.data.filter(({ awaits_release }) => awaits_release) ?? []),
  });

/** The changed payout addresses of a community. */
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
    refetchInterval: ({ state: { data = [] } }) => whileUnread(data),
  });

/** The changed payout address of a provider; null: it never changed. */
export const changedProviderAddressQuery = (providerId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...payoutsKeys.all, 'provider-address', providerId],
    queryFn: async ({ signal }) =>
      (
        await call('GET /api/super-admin/providers/{id}/payout-address', {
          params: { id: providerId },
          signal,
        })
      ).data,
    refetchInterval: ({ state: { data } }) => whileUnread(data ? [data] : []),
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

/** Frozen wallets. A freeze sends no event. */
export const frozenWalletsQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'frozen'],
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/wallets', { query: { limit: String(FROZEN_AT_MOST) }, signal }),
});

/** Changes on chain, without an event. */
export const gasWalletQuery = queryOptions({
  ...fresh,
  queryKey: [...payoutsKeys.all, 'gas-wallet'],
  refetchInterval: FOLLOW_EVERY_MS,
  queryFn: async ({ signal }) => (await call('GET /api/super-admin/gas-wallet', { signal })).data,
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
    // Events are faster; polling covers an interrupted stream.
    refetchInterval: ({ state: { data } }) => (data?.every(hasEnded) ? false : FOLLOW_EVERY_MS),
  });
