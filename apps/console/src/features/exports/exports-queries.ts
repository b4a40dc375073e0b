import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';

export type Export = CallAnswer<'GET /api/exports'>['data'][number];

/** Live updates invalidate it. */
export const exportsKey = ['exports'] as const;
/** In case an event was missed while one is under way. */
const LOOK_EVERY_MS = 10_000;

export const isUnfinished = ({ state }: Export) => state === 'waiting' || state === 'running';

export const exportsQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: async ({ signal }) => (await call('GET /api/exports', { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? LOOK_EVERY_MS : false),
});

/** Saves the file and returns its name. */
export async function downloadExport(id: string): Promise<string> {
  return saveResponse(await open('GET /api/exports/{id}/file', { params: { id } }), 'export.csv');
}
