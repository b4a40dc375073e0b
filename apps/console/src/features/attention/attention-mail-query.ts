import type { CallAnswer } from '@copydesk/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';

export type Wishes = CallAnswer<'GET /api/me/attention-mail'>['data'];
/** Connects a chat with the reader's account, once. */
export type Link = CallAnswer<'POST /api/me/telegram'>['data'];

/** What the reader is told of what waits for it, and by which channel. */
export const wishesQuery = queryOptions({
  queryKey: ['attention-mail'],
  queryFn: async ({ signal }) => (await call('GET /api/me/attention-mail', { signal })).data,
});
