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
import { formatCount } from '../../lib/format/numbers.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListToolbar } from '../../ui/list/list-toolbar.tsx';
import { CountTabs } from '../../ui/table/count-tabs.tsx';
import { SortSelect } from '../../ui/table/sort-select.tsx';
import { ToTraders } from './admin-page.tsx';

const PANEL_ID = 'recipients-panel';
const TABS = ['all', ...RECIPIENT_STATES] as const;
const LABELS = { all: 'All', ...STATE_LABELS } as const;
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
  const changeText = useCallback(
    (text: string | undefined) => narrow({ search: text }, { replace: true }),
    [narrow],
  );
  const meta = data?.meta;
  const all = meta && meta.states.payable + meta.states.held + meta.states.missing;
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
        <div className="flex border-b border-line">
          <CountTabs
            label="Recipients by state"
            panelId={PANEL_ID}
            active={state ?? 'all'}
            tabs={TABS.map((id) => ({
              id,
              label: LABELS[id],
              count: meta ? formatCount(id === 'all' ? (all ?? 0) : meta.states[id]) : '\u00a0',
            }))}
            onChange={(tab) => narrow({ state: tab === 'all' ? undefined : tab })}
          />
        </div>
        <ListToolbar
          list={bookList}
          values={filters}
          sources={{}}
          onChange={narrow}
          search={{
            label: 'Search recipients by name or address',
            placeholder: 'Name or address',
            value: filters.search,
            onChange: changeText,
          }}
          sort={
            <SortSelect
              columns={SORT_CHOICES}
              sort={sort}
              onChange={(next) => change(bookList.sortParams(next))}
            />
          }
          found={meta ? recipientsWord(meta.total) : error ? '' : 'Loading recipients...'}
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
