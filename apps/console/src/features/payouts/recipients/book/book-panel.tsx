import type { RecipientState } from '@copydesk/domain/payouts';
import { RECIPIENT_STATES } from '@copydesk/domain/payouts';
import ContactRound from 'lucide-react/icons/contact-round';
import SearchX from 'lucide-react/icons/search-x';
import { useMemo, useState } from 'react';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { MessagePanel } from '../../../../ui/feedback/message-panel.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { MatchOffers } from '../../../../ui/form/filters/match-offers.tsx';
import { type ListedPage, PagedPanel } from '../../../../ui/list/list-panel.tsx';
import { PlainTable } from '../../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../../ui/table/plain-table/skeleton-table.tsx';
import { ReleaseDialog } from '../../addresses/release-dialog.tsx';
import type { RecipientsAnswer } from '../../payouts-queries.ts';
import { bookColumns, STATE_LABELS } from './book-columns.tsx';
import { type BookFilters, bookList, type RecipientsSearch } from './book-search.ts';

/** Of a tab without rows. */
const EMPTY: Record<RecipientState, { title: string; text: string }> = {
  payable: { title: 'No recipient can be paid', text: 'The other tabs say why not.' },
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
  list: ListedPage<RecipientsAnswer>;
  onChange(change: RecipientsSearch, how?: { replace: boolean }): void;
}

/** One page of everyone whom the platform pays, with the release of a new address. */
export function BookPanel({ id, filters, list, onChange }: BookPanelProps) {
  const { state, search, sort } = filters;
  const { data } = list;
  const [released, setReleased] = useState<string | null>(null);
  const columns = useMemo(() => bookColumns(setReleased), []);
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
    <>
      <PagedPanel
        id={id}
        tab={state}
        what="recipients"
        list={list}
        at={filters}
        pages={bookList}
        onChange={onChange}
        loading={<SkeletonTable columns={columns} rows={8} />}
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
              isStale={list.isPlaceholderData}
            />
          </div>
        </div>
      </PagedPanel>
      {released && <ReleaseDialog changeId={released} onClose={() => setReleased(null)} />}
    </>
  );
}
