import MessagesSquare from 'lucide-react/icons/messages-square';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, useMemo } from 'react';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { MatchOffers } from '../../../ui/form/filters/match-offers.tsx';
import { type ListedPage, PagedPanel } from '../../../ui/list/list-panel.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { useRetry } from '../retry/use-retry.tsx';
import { botsMessageColumns } from './bots-message-columns.tsx';
import { type BotsMessagesAnswer, countWords, retryBotMessages } from './bots-messages-queries.ts';
import {
  BOT_MESSAGE_STATES,
  type BotsMessagesFilters,
  type BotsMessagesSearch,
  botsMessagesList,
  STATE_LABELS,
} from './bots-messages-search.ts';

/** Of a tab without rows. */
const EMPTY: Record<keyof typeof STATE_LABELS, { title: string; text: string }> = {
  failed: {
    title: 'Every message arrived',
    text: 'A message appears here when Telegram refuses it, or does not answer for a day.',
  },
  queued: { title: 'No message waits', text: 'A message is here until Telegram has taken it.' },
  sent: { title: 'No message was sent', text: 'Those that Telegram has taken are kept here for a time.' },
};

interface BotsMessagesPanelProps {
  id: string;
  filters: BotsMessagesFilters;
  list: ListedPage<BotsMessagesAnswer>;
  onChange(change: BotsMessagesSearch, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  mayRetry: boolean;
}

/** One page of the messages of communities' bots. */
export function BotsMessagesPanel(props: BotsMessagesPanelProps) {
  const { id, filters, list, onChange, arrangement, mayRetry } = props;
  const { page: _, rows: __, state, sort: ___, ...narrowing } = filters;
  const hasFailed = state === undefined || state === 'failed';
  const { selecting, acts } = useRetry({ state, ...narrowing }, mayRetry && hasFailed, (selection) =>
    retryBotMessages(selection, filters),
  );
  const columns = useMemo(() => botsMessageColumns(mayRetry, selecting), [mayRetry, selecting]);
  return (
    <PagedPanel
      id={id}
      tab={state}
      what="messages"
      list={list}
      at={filters}
      pages={botsMessagesList}
      onChange={onChange}
      acts={acts}
      loading={<SkeletonTable columns={columns} rows={8} />}
      empty={<NoMessages filters={filters} meta={list.data?.meta} onChange={onChange} />}
    >
      <PlainTable
        label="Messages of bots"
        columns={columns}
        rows={list.data?.data ?? []}
        keyOf={(message) => message.id}
        isStale={list.isPlaceholderData}
        arrangement={arrangement}
      />
    </PagedPanel>
  );
}

interface NoMessagesProps {
  filters: BotsMessagesFilters;
  meta: BotsMessagesAnswer['meta'] | undefined;
  onChange(change: BotsMessagesSearch): void;
}

function NoMessages({ filters, meta, onChange }: NoMessagesProps) {
  const { state, search } = filters;
  const isNarrowed = Object.keys(botsMessagesList.filters).some(
    (name) => filters[name as 'search'] !== undefined,
  );
  if (!isNarrowed)
    return (
      <MessagePanel
        icon={MessagesSquare}
        title={state ? EMPTY[state].title : 'No messages yet'}
        text={state ? EMPTY[state].text : 'They appear once people write to the bots of communities.'}
      />
    );
  const offers = BOT_MESSAGE_STATES.flatMap((other) =>
    !state || !meta || other === state || meta.states[other] === 0
      ? []
      : {
          text: `Show ${countWords(meta, other)} in ${STATE_LABELS[other]}`,
          change: { state: other, page: undefined },
        },
  );
  return (
    <MessagePanel
      icon={SearchX}
      title="No messages found"
      text={search ? 'Change the search or the filters.' : 'Change the filters.'}
    >
      <MatchOffers offers={offers} onChange={onChange} />
      <Button onClick={() => onChange({ ...botsMessagesList.noFilters, page: undefined })}>
        {search ? 'Clear search and filters' : 'Clear filters'}
      </Button>
    </MessagePanel>
  );
}
