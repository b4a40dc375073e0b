import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { toast } from '../../ui/feedback/toast-store.ts';

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

/** Saves a file, and says why not. */
export async function saveExport(id: string): Promise<void> {
  try {
    await saveResponse(await open('GET /api/exports/{id}/file', { params: { id } }), 'export.csv');
  } catch (error) {
    toast({ tone: 'negative', title: 'Download failed', text: messageOf(error) });
  }
}
