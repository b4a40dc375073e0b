import { MESSAGE_OUTCOMES } from '@copydesk/domain/messages';
import MessagesSquare from 'lucide-react/icons/messages-square';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, useMemo } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { Button } from '../../ui/form/button.tsx';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { type ListedPage, PagedPanel } from '../../ui/list/list-panel.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { messageColumns } from './message-columns.tsx';
import { type MessagesAnswer, retryMessages } from './messages-queries.ts';
import {
  type MessagesFilters,
  type MessagesSearch,
  messagesList,
  OUTCOME_LABELS,
} from './messages-search.ts';
import { useRetry } from './retry/use-retry.tsx';

/** Of a tab without rows. */
const EMPTY: Record<MessagesFilters['outcome'] & string, { title: string; text: string }> = {
  not_delivered: {
    title: 'Every message arrived',
    text: 'Messages that Telegram refuses, or whose person has no Telegram ID, appear here.',
  },
  waiting: { title: 'No message waits', text: 'A message is here until Telegram has taken it.' },
  sent: { title: 'No message was sent', text: 'The other tabs say what keeps them from it.' },
  overtaken: {
    title: 'No message was overtaken',
    text: 'One that failed is here once a later one arrived, or after 30 days.',
  },
};

interface MessagesPanelProps {
  id: string;
  filters: MessagesFilters;
  list: ListedPage<MessagesAnswer>;
  onChange(change: MessagesSearch, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  mayRetry: boolean;
}

/** One page of the messages of the platform's bot. */
export function MessagesPanel({ id, filters, list, onChange, arrangement, mayRetry }: MessagesPanelProps) {
  const { page: _, rows: __, outcome, sort: ___, ...narrowing } = filters;
  const hasFailed = outcome !== 'waiting' && outcome !== 'sent';
  const { selecting, acts } = useRetry({ outcome, ...narrowing }, mayRetry && hasFailed, (selection) =>
    retryMessages(selection, filters),
  );
  const columns = useMemo(() => messageColumns(mayRetry, selecting), [mayRetry, selecting]);
  return (
    <PagedPanel
      id={id}
      tab={outcome}
      what="messages"
      list={list}
      at={filters}
      pages={messagesList}
      onChange={onChange}
      acts={acts}
      loading={<SkeletonTable columns={columns} rows={8} />}
      empty={<NoMessages filters={filters} outcomes={list.data?.meta.outcomes} onChange={onChange} />}
    >
      <PlainTable
        label="Messages"
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
  filters: MessagesFilters;
  outcomes: MessagesAnswer['meta']['outcomes'] | undefined;
  onChange(change: MessagesSearch): void;
}

function NoMessages({ filters, outcomes, onChange }: NoMessagesProps) {
  const { outcome, search } = filters;
  const isNarrowed = Object.keys(messagesList.filters).some(
    (name) => filters[name as 'search'] !== undefined,
  );
  if (!isNarrowed)
    return (
      <MessagePanel
        icon={MessagesSquare}
        title={outcome ? EMPTY[outcome].title : 'No messages yet'}
        text={outcome ? EMPTY[outcome].text : 'They are written when invoices are, and as they fall due.'}
      />
    );
  const offers = MESSAGE_OUTCOMES.flatMap((other) => {
    const n = outcomes?.[other] ?? 0;
    if (!outcome || other === outcome || n === 0) return [];
    return {
      text: `Show ${formatCount(n)} in ${OUTCOME_LABELS[other]}`,
      change: { outcome: other, page: undefined },
    };
  });
  return (
    <MessagePanel
      icon={SearchX}
      title="No messages found"
      text={search ? 'Change the search or the filters.' : 'Change the filters.'}
    >
      <MatchOffers offers={offers} onChange={onChange} />
      <Button onClick={() => onChange({ ...messagesList.noFilters, page: undefined })}>
        {search ? 'Clear search and filters' : 'Clear filters'}
      </Button>
    </MessagePanel>
  );
}
