import type { RecipientState } from '@copydesk/domain/payouts';
import { RECIPIENT_STATES } from '@copydesk/domain/payouts';
import ContactRound from 'lucide-react/icons/contact-round';
import SearchX from 'lucide-react/icons/search-x';
import { useCallback, useMemo, useState } from 'react';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { useLastPage } from '../../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { MatchOffers } from '../../../../ui/form/filters/match-offers.tsx';
import { Pager } from '../../../../ui/table/pager.tsx';
import { PlainTable } from '../../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../../ui/table/plain-table/skeleton-table.tsx';
import { ReleaseDialog } from '../../addresses/release-dialog.tsx';
import type { RecipientsAnswer } from '../../payouts-queries.ts';
import { bookColumns, STATE_LABELS } from './book-columns.tsx';
import { type BookFilters, bookList, PAGE_SIZES, type RecipientsSearch } from './book-search.ts';

/** Of a tab without rows. */
const EMPTY: Record<RecipientState, { title: string; text: string }> = {
  payable: { title: 'Nobody can be paid', text: 'The other tabs say why not.' },
  held: {
    title: 'No address is on hold',
    text: 'Changed addresses are here until another super admin has released them and their waiting time has passed.',
  },
  missing: {
    title: 'Everyone has an address',
    text: 'Recipients without one are here: shares that were made without one wait for it.',
  },
};

interface BookPanelProps {
  id: string;
  filters: BookFilters;
  list: {
    data: RecipientsAnswer | undefined;
    error: Error | null;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  onChange(change: RecipientsSearch, how?: { replace: boolean }): void;
}

/** One page of everyone whom the platform pays, with the release of a new address. */
export function BookPanel({ id, filters, list, onChange }: BookPanelProps) {
  const { page, rows, state, search, sort } = filters;
  const { data, error, isPlaceholderData } = list;
  const [released, setReleased] = useState<string | null>(null);
  const columns = useMemo(() => bookColumns(setReleased), []);
  const total = data?.meta.total;
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : total }, toPage);
  const isNarrowed = search !== undefined || filters.kind !== undefined;
  const offers = RECIPIENT_STATES.flatMap((other) => {
    const n = data?.meta.states[other] ?? 0;
    if (!state || other === state || n === 0) return [];
    return {
      text: `Show ${formatCount(n)} in ${STATE_LABELS[other]}`,
      change: { state: other, page: undefined },
    };
  });
  return (
    <section
      id={id}
      role="tabpanel"
      aria-labelledby={`${id}-${state ?? 'all'}`}
      className="relative border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
    >
      <QueryState
        error={
          error && !data ? { title: 'The recipients could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void list.refetch()}
        isLoading={!data}
        loading={<SkeletonTable columns={columns} rows={8} />}
        isEmpty={total === 0}
        empty={
          isNarrowed ? (
            <MessagePanel
              icon={SearchX}
              title="No recipients found"
              text={search ? 'Change the search or the filters.' : 'Change the filters.'}
            >
              <MatchOffers offers={offers} onChange={onChange} />
              <Button onClick={() => onChange({ ...bookList.noFilters, page: undefined })}>
                {search ? 'Clear search and filters' : 'Clear filters'}
              </Button>
            </MessagePanel>
          ) : (
            <MessagePanel
              icon={ContactRound}
              title={state ? EMPTY[state].title : 'Nobody to pay yet'}
              text={state ? EMPTY[state].text : 'Providers, communities and who referred them appear here.'}
            />
          )
        }
      >
        <div className="overscroll-x-contain md:overflow-x-auto">
          <div className="md:min-w-256">
            <PlainTable
              label="Recipients"
              columns={columns}
              rows={data?.data ?? []}
              keyOf={({ owner_kind: kind, owner_id: ownerId }) => `${kind} ${ownerId}`}
              sort={sort}
              onSort={(next) => onChange(bookList.sortParams(next as typeof sort))}
              isStale={isPlaceholderData}
            />
          </div>
        </div>
        <Pager
          page={page}
          pageRows={rows}
          total={total ?? 0}
          onChange={toPage}
          sizes={{ options: PAGE_SIZES, onChange: (size) => onChange(bookList.rowsParam(size)) }}
        />
      </QueryState>
      {released && <ReleaseDialog changeId={released} onClose={() => setReleased(null)} />}
    </section>
  );
}
