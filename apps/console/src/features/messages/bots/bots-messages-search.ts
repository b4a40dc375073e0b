import { MESSAGE_PROBLEMS, MESSAGE_STATES } from '@copydesk/domain/messages';
import { MESSAGE_PROBLEM_NAMES } from '../../../lib/format/message-texts.ts';
import { definePagedList } from '../../../lib/list/define-paged-list.ts';
import { among, choice, recordOf, search } from '../../../lib/list/filters.ts';

type BotMessageState = (typeof MESSAGE_STATES)[number];

/** In the order of the tabs: messages that need a person first. */
export const BOT_MESSAGE_STATES = ['failed', 'queued', 'sent'] as const satisfies BotMessageState[];

/** As the messages of the platform's bot have them. */
export const STATE_LABELS: Record<BotMessageState, string> = {
  failed: 'Not delivered',
  queued: 'Waiting',
  sent: 'Sent',
};

const problems = MESSAGE_PROBLEMS.map((value) => ({ value, label: MESSAGE_PROBLEM_NAMES[value] }));

export const botsMessagesList = definePagedList({
  filters: {
    search: search('search'),
    problem: choice('Cause', 'problem', problems),
    community: recordOf('Community', 'community_id', 'communities'),
  },
  // The tab, with a count for each.
  rest: { state: among(MESSAGE_STATES) },
  kept: ['state'],
  columns: ['created_at'],
  sizes: [25, 50, 100],
  rows: 25,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type BotsMessagesSearch = ReturnType<typeof botsMessagesList.read>;
export type BotsMessagesFilters = ReturnType<typeof botsMessagesList.complete> &
  Pick<BotsMessagesSearch, 'state'>;

/** The URL, completed with the defaults. */
export const botsMessagesFrom = (search: BotsMessagesSearch): BotsMessagesFilters => ({
  ...botsMessagesList.complete(search),
  state: search.state,
});
