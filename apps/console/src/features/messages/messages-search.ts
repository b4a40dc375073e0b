import { MESSAGE_OUTCOMES, MESSAGE_PROBLEMS, type MessageOutcome } from '@copydesk/domain/messages';
import { shortId } from '@copydesk/domain/money';
import { MESSAGE_KIND_NAMES, MESSAGE_PROBLEM_NAMES, type Message } from '../../lib/format/message-texts.ts';
import { definePagedList } from '../../lib/list/define-paged-list.ts';
import { among, choice, linked, recordOf, search } from '../../lib/list/filters.ts';
import { uuid } from '../../lib/url/search-params.ts';

export const OUTCOME_LABELS: Record<MessageOutcome, string> = {
  not_delivered: 'Not delivered',
  waiting: 'Waiting',
  sent: 'Sent',
  overtaken: 'Overtaken',
};

const kinds = Object.entries(MESSAGE_KIND_NAMES).map(([value, label]) => ({
  value: value as Message['kind'],
  label,
}));
const problems = MESSAGE_PROBLEMS.map((value) => ({ value, label: MESSAGE_PROBLEM_NAMES[value] }));

export const messagesList = definePagedList({
  filters: {
    search: search('search'),
    kind: choice('Kind', 'kind', kinds),
    problem: choice('Cause', 'problem', problems),
    provider: recordOf('Provider', 'provider_id', 'providers'),
    community: recordOf('Community', 'community_id', 'communities'),
    run: linked('Invoicing run', 'run_id', { read: uuid, write: shortId }),
  },
  // The tab, with a count for each.
  rest: { outcome: among(MESSAGE_OUTCOMES) },
  kept: ['outcome'],
  columns: ['created_at'],
  sizes: [25, 50, 100],
  rows: 25,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type MessagesSearch = ReturnType<typeof messagesList.read>;
export type MessagesFilters = ReturnType<typeof messagesList.complete> & Pick<MessagesSearch, 'outcome'>;

/** The URL, completed with the defaults. */
export const messagesFrom = (search: MessagesSearch): MessagesFilters => ({
  ...messagesList.complete(search),
  outcome: search.outcome,
});
