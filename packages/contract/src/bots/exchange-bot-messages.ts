import { MESSAGE_PROBLEMS, MESSAGE_STATES } from '@copydesk/domain/messages';
import { z } from 'zod';
import { entries, page } from '../entry.ts';
import { id, paging, queryInteger, searched } from '../fields.ts';
import { retriedOf } from '../messages/index.ts';
import { botMessage } from './exchange-bot-answers.ts';

const filters = {
  state: z.enum(MESSAGE_STATES).optional(),
  community_id: id.optional(),
  problem: z.enum(MESSAGE_PROBLEMS).optional(),
  search: searched
    .optional()
    .describe(
      'messages to people with it as part of a name or Telegram name, with or without @, or as Telegram id',
    ),
};
const retried = retriedOf(filters);

const listed = botMessage.extend({ bot_id: id, community_id: id, community: z.string() });

const managed = { permission: 'super', recentAuth: false } as const;

/** What the bots of all communities wrote, in one list. */
export const exchangeBotMessageCalls = entries({
  'GET /api/exchange-bot-messages': {
    ...managed,
    summary: 'The messages of the bots of all communities, newest first',
    query: z.strictObject({ ...filters, limit: queryInteger(1, 100).optional(), offset: paging.offset }),
    answer: page(listed, {
      /** Messages that match every filter, including the state; those of a state are counted up to 10,000. */
      total: z.int(),
      /** Messages by state that match every filter except the state, each counted up to 10,000. */
      states: z.object({ queued: z.int(), sent: z.int(), failed: z.int() }),
      capped: z.array(z.enum(MESSAGE_STATES)).describe('states of which there are 10,000 or more'),
    }),
    errors: [],
  },
  'POST /api/exchange-bot-messages/retry-preview': {
    permission: 'super',
    summary:
      'How many of a selection of messages of bots would be sent again, and why the others not. Nothing changes',
    ...retried.preview,
  },
  'POST /api/exchange-bot-messages/retry': {
    permission: 'super',
    summary: 'Sends failed messages of bots of a selection again, the oldest first and 1,000 at most',
    ...retried.order,
  },
});
