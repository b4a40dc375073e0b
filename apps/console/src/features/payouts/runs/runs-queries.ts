import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { payoutsKeys } from '../payouts-keys.ts';

export type RunPlan = CallAnswer<'POST /api/super-admin/payout-runs/plan'>['data'];
export type RunDetail = CallAnswer<'GET /api/super-admin/payout-runs/{id}'>['data'];
export type PayoutRun = RunDetail['run'];

const READ_AGAIN_MS = 30_000;
const FOLLOW_EVERY_MS = 10_000;
const AWAITING_AT_MOST = 25;

/** What a run of these communities would do, asked again each time it is shown. */
export const runPlanQuery = (communityIds: readonly string[]) =>
  queryOptions({
    queryKey: ['payout-run-plan', communityIds],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const body = { community_ids: [...communityIds] };
      return (await call('POST /api/super-admin/payout-runs/plan', { body, signal })).data;
    },
  });

/** Runs that wait for another super admin. */
export const awaitingRunsQuery = queryOptions({
  queryKey: [...payoutsKeys.all, 'runs', 'awaiting'],
  staleTime: 0,
  refetchOnMount: true,
  refetchInterval: READ_AGAIN_MS,
  queryFn: ({ signal }) =>
    call('GET /api/super-admin/payout-runs', {
      query: { state: 'awaiting', limit: String(AWAITING_AT_MOST) },
      signal,
    }),
});

/** A run and its distributions, followed while it is under way. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...payoutsKeys.all, 'runs', id],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/super-admin/payout-runs/{id}', { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.run.payouts.under_way === 0 || data?.run.state === 'declined' ? false : FOLLOW_EVERY_MS,
  });

/** Everyone whom a run pays, and what an approver names as seen. */
export const runLinesQuery = (id: string) =>
  queryOptions({
    queryKey: [...payoutsKeys.all, 'runs', id, 'lines'],
    staleTime: 0,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/super-admin/payout-runs/{id}/lines', { params: { id }, signal })).data,
  });
