import type { CallInput } from '@copydesk/contract';
import type { AttentionItem } from '@copydesk/contract/attention';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { ATTENTION_KEY } from '../../lib/live/attention-key.ts';

export type { AttentionItem };

/** Causes come from everywhere, and not all of them send an event. */
const READ_AGAIN_MS = 30_000;

export const attentionQuery = (query: CallInput<'GET /api/attention'>['query']) =>
  queryOptions({
    queryKey: [...ATTENTION_KEY, 'list', query],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/attention', { query, signal }),
  });

const named = ({ kind, subject, provider_id }: AttentionItem) => ({ kind, subject, provider_id });

/** To whom an item may be handed over. */
export const seersQuery = (item: AttentionItem) =>
  queryOptions({
    queryKey: [...ATTENTION_KEY, 'people', named(item)],
    queryFn: async ({ signal }) =>
      (await call('POST /api/attention/people', { body: named(item), signal })).data,
  });

type Act = CallInput<'PUT /api/attention/mark'>['body']['act'];

/** Notes what the reader does about an item as shown on screen. */
export const sendMark = (item: AttentionItem, act: Act) =>
  call('PUT /api/attention/mark', {
    body: { ...named(item), cause: item.cause, version: item.version, act },
  });
