import type { CallAnswer } from '@copydesk/contract';
import { pendingPollMs } from '@copydesk/domain/pools';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { retryDelay, retryUnless } from '../../lib/api/read-retry.ts';
import { requireId } from '../../lib/api/require-id.ts';
import { poolsKeys } from './pools-keys.ts';

export type PooledAccount = CallAnswer<'GET /api/pooled-accounts'>['pooled_accounts'][number];
export type PoolMember = CallAnswer<'GET /api/pooled-accounts/{id}/traders'>['data'][number];
export type PoolTransaction = CallAnswer<'GET /api/pooled-accounts/{id}/transactions'>['data'][number];
export type HarvestHistory = CallAnswer<'GET /api/pooled-accounts/{id}/harvest/status'>['data'] & {
  /**
   * When the answer came, by the page's own clock, which no one can set: the server's time has moved on since
   * by as much.
   */
  receivedMs: number;
};
export type HarvestCycle = HarvestHistory['current'];
export type HarvestProgress = CallAnswer<'GET /api/pooled-accounts/{id}/harvest/progress'>['data'];
export type PoolRequest = CallAnswer<'GET /api/pooled-accounts/{id}/requests'>['data'][number];
export type PoolArrivals = CallAnswer<'GET /api/pooled-accounts/{id}/arrivals'>;
export type PoolArrival = PoolArrivals['data'][number];
export type PoolMovement = CallAnswer<'GET /api/pooled-accounts/{id}/movements'>['data'][number];
export type ArrivalDecision = PoolArrival['decisions'][number];
export type PoolStatement = NonNullable<CallAnswer<'GET /api/traders/{id}/pool'>['data']>;
export type PoolEvent = CallAnswer<'GET /api/pooled-accounts/{id}/results'>['meta']['events'][number];
export type PoolCycleResult = CallAnswer<'GET /api/pooled-accounts/{id}/results'>['data'][number];
export type GlobalHarvest = CallAnswer<'GET /api/pooled-accounts/global/harvest/status'>['data'];

type Listed = Omit<PooledAccount, 'community' | 'current_harvest_cycle'> & {
  community?: Partial<PooledAccount['community']> | null;
  current_harvest_cycle?: Partial<PooledAccount['current_harvest_cycle']> | null;
};

/** A pool without a community or a cycle reads 'Unknown', 1, stopped (super-admin spec, section 3). */
export function withDefaults({ community, current_harvest_cycle: cycle, ...pool }: Listed): PooledAccount {
  return {
    ...pool,
    community: { id: '', is_archived: false, ...community, name: community?.name ?? 'Unknown' },
    current_harvest_cycle: {
      id: '',
      step: 'trading',
      version: 0,
      since: pool.created_at,
      deadline_at: null,
      reason: null,
      step_since: pool.created_at,
      is_resume_awaited: false,
      ...cycle,
      cycle_number: cycle?.cycle_number ?? 1,
      status: cycle?.status ?? 'stopped',
    },
  };
}

/** Super-admin spec, section 9. */
const POOLS_STALE_MS = 2 * 60_000;
const PENDING_STALE_MS = 60_000;
/** The intervals of pending deposits hold for all figures of pools: a status on the move changes as often. */
const pollEveryMs = (pools: readonly PooledAccount[]) =>
  pendingPollMs(pools.map(({ current_harvest_cycle: { status } }) => status));
const isFinal = (status: number) => status >= 400 && status < 500;

/** The active pooled accounts in scope. */
export const activePoolsQuery = queryOptions({
  queryKey: [...poolsKeys.all, 'active'],
  staleTime: POOLS_STALE_MS,
  refetchOnMount: true,
  queryFn: async ({ signal }) =>
    (await call('GET /api/pooled-accounts', { signal })).pooled_accounts.map(withDefaults),
  refetchInterval: ({ state: { data } }) => pollEveryMs(data ?? []),
});

/** @param pools the active pools, whose status decides how soon the sums change */
export const globalHarvestQuery = (pools: readonly PooledAccount[]) =>
  queryOptions({
    queryKey: [...poolsKeys.all, 'global'],
    staleTime: POOLS_STALE_MS,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/pooled-accounts/global/harvest/status', { signal })).data,
    refetchInterval: pollEveryMs(pools),
  });

/** Final deposits that the pools have not admitted yet (super-admin spec, sections 2 and 9). */
export const pendingDepositsQuery = (pools: readonly PooledAccount[], isEnabled: boolean) =>
  queryOptions({
    queryKey: [...poolsKeys.all, 'pending-deposits'],
    enabled: isEnabled,
    staleTime: PENDING_STALE_MS,
    refetchOnMount: true,
    retry: retryUnless(isFinal, 3),
    retryDelay,
    queryFn: async ({ signal }) => (await call('GET /api/admin/bsc-pending-deposits', { signal })).data,
    refetchInterval: pollEveryMs(pools),
  });

export const poolQuery = (id: string) =>
  queryOptions({
    queryKey: [...poolsKeys.pool(id), 'record'],
    staleTime: POOLS_STALE_MS,
    refetchOnMount: true,
    retry: retryUnless(isFinal, 3),
    retryDelay,
    queryFn: async ({ signal }) => {
      requireId(id);
      return withDefaults((await call('GET /api/pooled-accounts/{id}', { params: { id }, signal })).data);
    },
    refetchInterval: ({ state: { data } }) => pollEveryMs(data ? [data] : []),
  });

/** Everything of one pool changes together with its record, and is read as often. */
const withRecord = (pool: PooledAccount) => ({
  staleTime: POOLS_STALE_MS,
  refetchOnMount: true,
  refetchInterval: pollEveryMs([pool]),
});

export const harvestHistoryQuery = (pool: PooledAccount) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'cycles'],
    queryFn: async ({ signal }): Promise<HarvestHistory> => {
      const params = { id: pool.id };
      const { data } = await call('GET /api/pooled-accounts/{id}/harvest/status', { params, signal });
      return { ...data, receivedMs: performance.now() };
    },
  });

/** Super admins only. */
export const poolBooksQuery = (pool: PooledAccount) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'books'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/pooled-accounts/{id}/stats', { params: { id: pool.id }, signal })).data,
  });

/** The worker looks at a cycle on the move every few seconds. */
const MOVING_POLL_MS = 5_000;

/** Super admins only. */
export const harvestProgressQuery = (pool: PooledAccount) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'progress'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/pooled-accounts/{id}/harvest/progress', { params: { id: pool.id }, signal }))
        .data,
    refetchInterval: isMoving(pool) ? MOVING_POLL_MS : pollEveryMs([pool]),
  });

const isMoving = ({ current_harvest_cycle: { status } }: PooledAccount) =>
  status !== 'stopped' && status !== 'harvesting' && status !== 'failed';

export const POOL_PAGE_ROWS = 20;
const paging = (page: number) => ({
  limit: String(POOL_PAGE_ROWS),
  offset: String((page - 1) * POOL_PAGE_ROWS),
});

export const poolMembersQuery = (pool: PooledAccount, page: number, isPendingOnly: boolean) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'members', page, isPendingOnly],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/traders', {
        params: { id: pool.id },
        query: { ...paging(page), ...(isPendingOnly && { showPendingOnly: 'true' as const }) },
        signal,
      }),
  });

export const poolTransactionsQuery = (pool: PooledAccount, page: number) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'transactions', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/transactions', {
        params: { id: pool.id },
        query: paging(page),
        signal,
      }),
  });

export const poolRequestsQuery = (pool: PooledAccount, page: number) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'requests', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/requests', {
        params: { id: pool.id },
        query: { state: 'open' as const, ...paging(page) },
        signal,
      }),
  });

/** Super admins only. */
export const poolArrivalsQuery = (pool: PooledAccount, page: number) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'arrivals', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/arrivals', {
        params: { id: pool.id },
        query: paging(page),
        signal,
      }),
  });

/** Super admins only. */
export const poolMovementsQuery = (pool: PooledAccount, page: number) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'movements', page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/movements', {
        params: { id: pool.id },
        query: paging(page),
        signal,
      }),
  });

/** What a trader has in a pool; null: nothing. */
export const poolStatementQuery = (traderId: string) =>
  queryOptions({
    queryKey: [...poolsKeys.all, 'statement', traderId],
    staleTime: POOLS_STALE_MS,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/pool', { params: { id: traderId }, signal })).data,
  });

/** The pool of a community; null: it has none. Inactive pools count. */
export const communityPoolQuery = (communityId: string) =>
  queryOptions({
    queryKey: [...poolsKeys.all, 'community', communityId],
    staleTime: POOLS_STALE_MS,
    refetchOnMount: true,
    queryFn: async ({ signal }) => {
      const query = { include_inactive: 'true' } as const;
      const { pooled_accounts } = await call('GET /api/pooled-accounts', { query, signal });
      return pooled_accounts.map(withDefaults).find(({ community }) => community.id === communityId) ?? null;
    },
  });

/** Addresses and permissions of the key of a pool, as the exchange reports them now. Super admins only. */
export const poolKeyQuery = (poolId: string) =>
  queryOptions({
    queryKey: [...poolsKeys.pool(poolId), 'key'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/pooled-accounts/ip-whitelist/{id}', { params: { id: poolId }, signal })).data,
  });

export const poolResultsQuery = (pool: PooledAccount) =>
  queryOptions({
    ...withRecord(pool),
    queryKey: [...poolsKeys.pool(pool.id), 'results'],
    queryFn: ({ signal }) =>
      call('GET /api/pooled-accounts/{id}/results', { params: { id: pool.id }, signal }),
  });
