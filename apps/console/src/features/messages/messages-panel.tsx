import { MESSAGE_OUTCOMES } from '@copydesk/domain/messages';
import MessagesSquare from 'lucide-react/icons/messages-square';
import SearchX from 'lucide-react/icons/search-x';
import { type ComponentProps, useCallback, useMemo } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { MatchOffers } from '../../ui/form/filters/match-offers.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { messageColumns } from './message-columns.tsx';
import type { MessagesAnswer } from './messages-queries.ts';
import {
  type MessagesFilters,
  type MessagesSearch,
  messagesList,
  OUTCOME_LABELS,
  PAGE_SIZES,
} from './messages-search.ts';

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
  list: {
    data: MessagesAnswer | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  onChange(change: MessagesSearch, how?: { replace: boolean }): void;
  arrangement: ComponentProps<typeof PlainTable>['arrangement'];
  mayRetry: boolean;
}

/** One page of the messages. */
export function MessagesPanel({ id, filters, list, onChange, arrangement, mayRetry }: MessagesPanelProps) {
  const { page, rows, outcome, search } = filters;
  const { data, error, isPlaceholderData } = list;
  const columns = useMemo(() => messageColumns(mayRetry), [mayRetry]);
  const total = data?.meta.total;
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : total }, toPage);
  const isNarrowed = Object.keys(messagesList.filters).some(
    (name) => filters[name as 'search'] !== undefined,
  );
  const offers = MESSAGE_OUTCOMES.flatMap((other) => {
    const n = data?.meta.outcomes[other] ?? 0;
    if (!outcome || other === outcome || n === 0) return [];
    return {
      text: `Show ${formatCount(n)} in ${OUTCOME_LABELS[other]}`,
      change: { outcome: other, page: undefined },
    };
  });
  const clear = () => onChange({ ...messagesList.noFilters, page: undefined });
  return (
    <section
      id={id}
      role="tabpanel"
      aria-labelledby={`${id}-${outcome ?? 'all'}`}
      className="relative border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
    >
      <QueryState
        error={
          error && !data ? { title: 'The messages could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void list.refetch()}
        isLoading={!data}
        loading={<SkeletonTable columns={columns} rows={8} />}
        isEmpty={total === 0}
        empty={
          isNarrowed ? (
            <MessagePanel
              icon={SearchX}
              title="No messages found"
              text={search ? 'Change the search or the filters.' : 'Change the filters.'}
            >
              <MatchOffers offers={offers} onChange={onChange} />
              <Button onClick={clear}>{search ? 'Clear search and filters' : 'Clear filters'}</Button>
            </MessagePanel>
          ) : (
            <MessagePanel
              icon={MessagesSquare}
              title={outcome ? EMPTY[outcome].title : 'No messages yet'}
              text={
                outcome ? EMPTY[outcome].text : 'They are written when invoices are, and as they fall due.'
              }
            />
          )
        }
      >
        <PlainTable
          label="Messages"
          columns={columns}
          rows={data?.data ?? []}
          keyOf={(message) => message.id}
          isStale={isPlaceholderData}
          arrangement={arrangement}
        />
        <Pager
          page={page}
          pageRows={rows}
          total={total ?? 0}
          onChange={toPage}
          sizes={{ options: PAGE_SIZES, onChange: (size) => onChange(messagesList.rowsParam(size)) }}
        />
      </QueryState>
    </section>
  );
}
