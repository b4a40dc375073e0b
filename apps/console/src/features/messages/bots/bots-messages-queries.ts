import type { CallAnswer } from '@copydesk/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { RowSelection } from '../../../lib/list/row-selection.ts';
import { parseSearch } from '../../../lib/url/search-params.ts';
import { type Retrying, selectedOf } from '../retry/retrying.ts';
import { type BotsMessagesFilters, botsMessagesFrom, botsMessagesList } from './bots-messages-search.ts';

export type BotsMessagesAnswer = CallAnswer<'GET /api/exchange-bot-messages'>;
export type ListedBotMessage = BotsMessagesAnswer['data'][number];

/** Of all that is read of bots: the pages of bots have the same messages. */
export const BOTS_KEY = ['exchange-bot'] as const;
/** A message that is sent raises no event. */
const READ_AGAIN_MS = 30_000;

const wire = ({ state, sort: _, rows: __, page: ___, ...filters }: BotsMessagesFilters) => ({
  ...botsMessagesList.wire(filters),
  state,
});

export const botsMessagesQuery = (filters: BotsMessagesFilters) => {
  const { rows, page } = filters;
  const query = { ...wire(filters), limit: String(rows), offset: String((page - 1) * rows) };
  return queryOptions({
    queryKey: [...BOTS_KEY, 'messages of all', query],
    staleTime: 0,
    refetchOnMount: true,
    refetchInterval: READ_AGAIN_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('GET /api/exchange-bot-messages', { query, signal }),
  });
};

/** How many messages a saved view has. */
export const countBotsMessagesQuery = (view: string) => {
  const query = wire(botsMessagesFrom(botsMessagesList.read(parseSearch(view))));
  return queryOptions({
    staleTime: READ_AGAIN_MS,
    queryKey: [...BOTS_KEY, 'count of messages of a view', query],
    queryFn: async ({ signal }) =>
      (await call('GET /api/exchange-bot-messages', { query: { ...query, limit: '1' }, signal })).meta.total,
  });
};

/** How many there are in a state, or in all: `10,000+` where no more are counted. */
export function countWords(
  { states, capped }: BotsMessagesAnswer['meta'],
  state?: keyof typeof states,
): string {
  if (state) return `${formatCount(states[state])}${capped.includes(state) ? '+' : ''}`;
  const all = states.failed + states.queued + states.sent;
  return `${formatCount(all)}${capped.length > 0 ? '+' : ''}`;
}

export function retryBotMessages(selection: RowSelection, filters: BotsMessagesFilters): Retrying {
  const selected = selectedOf(selection, wire(filters));
  return {
    key: ['bots', selected],
    preview: async (signal) =>
      (await call('POST /api/exchange-bot-messages/retry-preview', { body: selected, signal })).data,
    order: async (expected, keyOf) => {
      const body = { ...selected, expected };
      return (await call('POST /api/exchange-bot-messages/retry', { body, idempotencyKey: keyOf(body) }))
        .data;
    },
    reads: BOTS_KEY,
    means: 'Each waits once more with the text that it had, and is sent by its own bot while that is on.',
  };
}
