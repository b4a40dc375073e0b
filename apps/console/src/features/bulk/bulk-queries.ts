import type { CallAnswer, CallInput } from '@copydesk/contract';
import type { BulkAct, BulkList, BulkOutcome } from '@copydesk/domain/bulk';
import type { TraderStatus } from '@copydesk/domain/traders';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { lookAgainMs } from '../../lib/api/own-work.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import type { RowSelection } from '../../lib/list/row-selection.ts';
import { toast } from '../../ui/feedback/toast-store.ts';

export type BulkActRow = CallAnswer<'GET /api/bulk-acts'>['data'][number];
export type Preview = CallAnswer<'POST /api/bulk-acts/preview'>['data'];
type Asked = CallInput<'POST /api/bulk-acts/preview'>['body'];

/** Whom an act is for: traders by their ids, or all matches of a list. */
export type BulkSelection = Pick<Asked, 'trader_ids' | 'matching'>;
/** An act that a person has chosen for a selection. */
export interface ChosenAct {
  act: BulkAct;
  status?: TraderStatus;
  selection: BulkSelection;
}

/** What is sent of a selection: traders by their ids, or all matches of a list less some. */
export function wireSelection(
  { isAll, ids }: RowSelection,
  list: BulkList,
  query: Record<string, string | undefined>,
): BulkSelection {
  if (!isAll) return { trader_ids: [...ids] };
  const set = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { matching: { list, query: Object.fromEntries(set), except: [...ids] } };
}

/** Live updates invalidate it. */
export const bulkKey = ['bulk-acts'] as const;
export const bulkRowsKey = [...bulkKey, 'rows'] as const;

export const bulkActsQuery = queryOptions({
  queryKey: [...bulkKey, 'list'],
  queryFn: async ({ signal }) => (await call('GET /api/bulk-acts', { signal })).data,
  refetchInterval: ({ state }) => lookAgainMs(state.data),
});

export const bulkRowsQuery = (id: string, asked: { outcome?: BulkOutcome; page: number; rows: number }) =>
  queryOptions({
    queryKey: [...bulkRowsKey, id, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/bulk-acts/{id}/rows', {
        params: { id },
        query: {
          outcome: asked.outcome,
          limit: `${asked.rows}`,
          offset: `${(asked.page - 1) * asked.rows}`,
        },
        signal,
      }),
  });

/** What is sent of an act, less the traders that were left out of it in its dialog. */
export function askedOf({ act, status, selection }: ChosenAct, leftOut: ReadonlyMap<string, unknown>): Asked {
  const { trader_ids: ids, matching } = selection;
  const common = { act, ...(status && { status }) };
  if (matching) {
    const except = [...new Set([...(matching.except ?? []), ...leftOut.keys()])];
    return { ...common, matching: { ...matching, except } };
  }
  return { ...common, trader_ids: (ids ?? []).filter((id) => !leftOut.has(id)) };
}

/** Never older than its dialog: the person confirms what it says. */
export const previewQuery = (chosen: ChosenAct, leftOut: ReadonlyMap<string, unknown>) => {
  const body = askedOf(chosen, leftOut);
  return queryOptions({
    queryKey: ['bulk-preview', body],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call('POST /api/bulk-acts/preview', { body, signal })).data,
  });
};

/** Stops an act, and says what was done of it until then. */
export async function stopAct(client: QueryClient, id: string): Promise<void> {
  try {
    const { done } = (await call('POST /api/bulk-acts/{id}/stop', { params: { id } })).data;
    toast(
      done === 0
        ? { tone: 'positive', title: 'Undone', text: 'Nothing had been done yet.' }
        : { tone: 'neutral', title: 'Stopped', text: `${done} had been done already.` },
    );
  } catch (error) {
    toast({ tone: 'negative', title: 'Not stopped', text: messageOf(error) });
  }
  await invalidate(client, { queryKey: bulkKey });
}
