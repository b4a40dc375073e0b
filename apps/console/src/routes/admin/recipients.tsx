import { RECIPIENT_STATES } from '@copydesk/domain/payouts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { recipientsWord } from '../../features/payouts/payout-texts.ts';
import { recipientsQuery } from '../../features/payouts/payouts-queries.ts';
import { STATE_LABELS } from '../../features/payouts/recipients/book/book-columns.tsx';
import { BookPanel } from '../../features/payouts/recipients/book/book-panel.tsx';
import {
  bookFrom,
  bookList,
  type RecipientsSearch,
} from '../../features/payouts/recipients/book/book-search.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { countIn, ListHead } from '../../ui/list/list-head.tsx';
import { SortSelect } from '../../ui/table/sort-select.tsx';
import { ToTraders } from './admin-page.tsx';

const PANEL_ID = 'recipients-panel';
const SORT_CHOICES = [
  { id: 'changed_at', label: 'Since' },
  { id: 'name', label: 'Recipient' },
] as const;

function Recipients() {
  usePageTitle('Recipients');
  const [search, change] = useScreenSearch(bookList.read);
  const filters = useMemo(() => bookFrom(search), [search]);
  const { sort, rows, page, state, ...narrowing } = filters;
  const { data, error, isPlaceholderData, refetch } = useQuery(
    recipientsQuery({
      ...bookList.wire(narrowing),
      state,
      orderBy: sort.column,
      orderDir: sort.direction,
      limit: String(rows),
      offset: String((page - 1) * rows),
    }),
  );
  const narrow = useCallback(
    (changed: RecipientsSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const meta = data?.meta;
  return (
    <Page>
      <div>
        <PageHeader
          title="Recipients"
          note="Everyone whom the platform pays, and where to. A changed address is paid to once another super admin has released it and its waiting time has passed."
          actions={
            <Link to="/payouts/due" className="rounded text-accent hover:underline">
              To pay out
            </Link>
          }
        />
        <ListHead
          what="recipients"
          tabs={{
            label: 'Recipients by state',
            panelId: PANEL_ID,
            ids: RECIPIENT_STATES,
            labelOf: (id) => STATE_LABELS[id],
            countOf: meta && countIn(meta.states),
            active: state,
            onChange: (id) => narrow({ state: id }),
          }}
          list={bookList}
          values={filters}
          sources={{}}
          onChange={narrow}
          search={{ label: 'Search recipients by name or address', placeholder: 'Name or address' }}
          sort={
            <SortSelect
              columns={SORT_CHOICES}
              sort={sort}
              onChange={(next) => change(bookList.sortParams(next))}
            />
          }
          found={meta && recipientsWord(meta.total)}
          error={error}
        />
        <BookPanel
          id={PANEL_ID}
          filters={filters}
          list={{ data, error, isPlaceholderData, refetch }}
          onChange={change}
        />
      </div>
    </Page>
  );
}

export default function RecipientsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Recipients />
    </SuperOnly>
  );
}
