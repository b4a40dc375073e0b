import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import type { RowSelection } from '../../lib/list/row-selection.ts';
import { parseSearch } from '../../lib/url/search-params.ts';
import { type MessagesFilters, messagesFrom, messagesList } from './messages-search.ts';
import { type Retrying, selectedOf } from './retry/retrying.ts';

export type MessagesAnswer = CallAnswer<'GET /api/messages'>;

export const MESSAGES_KEY = ['messages'] as const;
/** A message that is sent changes nothing else, and sends no event. */
const READ_AGAIN_MS = 30_000;

const wire = ({ outcome, sort: _, rows: __, page: ___, ...filters }: MessagesFilters) => ({
  ...messagesList.wire(filters),
  outcome,
});

export const messagesQuery = (filters: MessagesFilters) => {
  const { rows, page } = filters;
  const query = { ...wire(filters), limit: String(rows), offset: String((page - 1) * rows) };
  return queryOptions({
    queryKey: [...MESSAGES_KEY, 'list', query],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/messages', { query, signal }),
  });
};

/** How many messages a saved view has. */
export const countMessagesQuery = (view: string) => {
  const query = wire(messagesFrom(messagesList.read(parseSearch(view))));
  return queryOptions({
    staleTime: READ_AGAIN_MS,
    queryKey: [...MESSAGES_KEY, 'count of a view', query],
    queryFn: async ({ signal }) =>
      (await call('GET /api/messages', { query: { ...query, limit: '1' }, signal })).meta.total,
  });
};

export function retryMessages(selection: RowSelection, filters: MessagesFilters): Retrying {
  const selected = selectedOf(selection, wire(filters));
  return {
    key: ['platform', selected],
    preview: async (signal) =>
      (await call('POST /api/messages/retry-preview', { body: selected, signal })).data,
    order: async (expected, keyOf) => {
      const body = { ...selected, expected };
      return (await call('POST /api/messages/retry', { body, idempotencyKey: keyOf(body) })).data;
    },
    reads: MESSAGES_KEY,
    means:
      'Each waits once more with the text that it had. One that has lost its point, as of an invoice that is paid, is not sent.',
  };
}
