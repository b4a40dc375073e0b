import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { lookAgainMs } from '../../lib/api/own-work.ts';
import { toast } from '../../ui/feedback/toast-store.ts';

export type Export = CallAnswer<'GET /api/exports'>['data'][number];

/** Live updates invalidate it. */
export const exportsKey = ['exports'] as const;
export const exportsQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: async ({ signal }) => (await call('GET /api/exports', { signal })).data,
  refetchInterval: ({ state }) => lookAgainMs(state.data),
});

/** Saves a file, and says why not. */
export async function saveExport(id: string): Promise<void> {
  try {
    await saveResponse(await open('GET /api/exports/{id}/file', { params: { id } }), 'export.csv');
  } catch (error) {
    toast({ tone: 'negative', title: 'Download failed', text: messageOf(error) });
  }
}
