import { useCallback } from 'react';
import { DepositReadingNotice } from '../features/deposits/deposit-reading-notice.tsx';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { NotesSection } from '../features/notes/notes.tsx';
import { AwaitingNotice } from '../features/payouts/approval/awaiting-notice.tsx';
import { FrozenNotice } from '../features/payouts/frozen/frozen-notice.tsx';
import {
  countPayoutsQuery,
  exportPayouts,
  exportQuery,
} from '../features/payouts/history/history-queries.ts';
import {
  filtersFrom,
  type PayoutNarrowing,
  payoutsList,
  sortParams,
} from '../features/payouts/history/history-search.ts';
import { PayoutsList } from '../features/payouts/history/list/payouts-list.tsx';
import { usePayouts } from '../features/payouts/history/list/use-payouts.ts';
import { narrowingOf } from '../features/payouts/history/match-on-page.ts';
import { PayoutPanel } from '../features/payouts/history/panel/payout-panel.tsx';
import { SummaryStrip } from '../features/payouts/history/summary/summary-strip.tsx';
import { TimelineSection } from '../features/timeline/timeline.tsx';
import { formatCount } from '../lib/format/numbers.ts';
import { useLastPage } from '../lib/list/use-last-page.ts';
import { useAsOf } from '../lib/live/freshness.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { useBackgroundExport } from '../lib/use-background-export.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { ExportButton } from '../ui/form/filters/export-button.tsx';
import { Page, PageHeader } from '../ui/layout/page.tsx';
import { ListToolbar } from '../ui/list/list-toolbar.tsx';
import { SortSelect } from '../ui/table/sort-select.tsx';
import { useDirectoryOptions } from './use-directory-options.ts';

const SORT_CHOICES = [
  { id: 'created_at', label: 'Date' },
  { id: 'amount', label: 'Amount' },
  { id: 'status', label: 'Status' },
] as const;
const ALL_PAYOUTS = countPayoutsQuery('');

function TransactionHistory() {
  usePageTitle('Transaction History');
  const [search, change] = useScreenSearch(payoutsList.read);
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const { communities } = useDirectoryOptions();
  const filters = filtersFrom(search);
  const { sort: _sort, rows: _rows, page: _page, ...narrowing } = filters;
  const { find, payout } = search;
  const list = usePayouts(filters, find);
  useAsOf(list.totalsAt);
  const columns = useListLayout('payouts', search.saved);
  const background = useBackgroundExport({
    list: 'payouts',
    query: exportQuery(filters),
    total: list.isStale ? undefined : (list.total ?? undefined),
  });

  const close = useCallback(() => change({ payout: undefined }, { replace: true }), [change]);
  const changeText = useCallback(
    (text: string | undefined) => change({ find: text }, { replace: true }),
    [change],
  );
  /** New filters start on the first page. */
  const narrow = (changed: PayoutNarrowing) => change({ ...changed, page: undefined });
  /** Applies a search of this page to the whole history, for list and sums alike. */
  const searchAll = (text: string) => {
    const found = narrowingOf(text);
    if (found) change({ ...found, find: undefined, page: undefined });
    return found !== null;
  };
  const toPage = useCallback(
    (page: number) => change({ page: page > 1 ? String(page) : undefined }, { replace: true }),
    [change],
  );
  useLastPage(
    { page: filters.page, rows: filters.rows, total: list.isStale ? undefined : (list.total ?? undefined) },
    toPage,
  );

  return (
    <Page fills>
      <PageHeader
        title="Transaction History"
        note={
          <>
            <p>All distribution payouts across communities. Links open on BscScan.</p>
            {!isSuper && <p>Amounts are your part: what comes from invoices of your providers.</p>}
          </>
        }
        actions={
          <>
            <ViewsButton
              screen="payouts"
              list={payoutsList}
              search={search}
              columns={columns}
              countOf={countPayoutsQuery}
              onApply={change}
            />
            <ExportButton onExport={() => exportPayouts(filters)} background={background} />
          </>
        }
      />
      {isSuper && (
        <div className="mb-2 grid shrink-0 gap-2 empty:hidden">
          <AwaitingNotice />
          <DepositReadingNotice explorerUrl={explorerUrl} />
          <FrozenNotice nameOf={(id) => communities.find(({ value }) => value === id)?.label} />
        </div>
      )}
      {!list.problem && <SummaryStrip narrowing={narrowing} />}
      <ListToolbar
        list={payoutsList}
        values={filters}
        sources={{ communities }}
        onChange={narrow}
        search={{
          label: 'Search this page',
          placeholder: 'Address, hash, id or community',
          value: find,
          isFixed: true,
          onChange: changeText,
          onEnter: searchAll,
        }}
        sort={
          <SortSelect
            columns={SORT_CHOICES}
            sort={filters.sort}
            onChange={(sort) => change(sortParams(sort))}
          />
        }
        found={foundWords(list, find)}
        news={{
          all: ALL_PAYOUTS,
          shown: list.isStale ? undefined : (list.total ?? undefined),
          onShow: narrow,
        }}
      />
      <div className="flex min-h-80 flex-1 gap-4">
        <PayoutsList
          isSuper={isSuper}
          list={list}
          arrangement={columns}
          filters={filters}
          find={find}
          openId={payout}
          explorerUrl={explorerUrl}
          onChange={change}
        />
        {payout && (
          <PayoutPanel
            key={payout}
            id={payout}
            isSuper={isSuper}
            notes={
              <NotesSection subject={{ subject_kind: 'payout', subject_id: payout }} isSuper={isSuper} />
            }
            timeline={
              <TimelineSection
                kind="payout"
                id={payout}
                under={['payout-history']}
                money="usdt"
                explorerUrl={explorerUrl}
              />
            }
            explorerUrl={explorerUrl}
            onClose={close}
          />
        )}
      </div>
    </Page>
  );
}

export default function TransactionHistoryScreen() {
  return (
    <OpensWithView screen="payouts" list={payoutsList}>
      <TransactionHistory />
    </OpensWithView>
  );
}

function foundWords(
  { total, rows, isStale, problem }: ReturnType<typeof usePayouts>,
  find: string | undefined,
) {
  if (problem) return '';
  if (total === null || isStale) return 'Loading payouts...';
  if (find) return `${formatCount(rows.length)} on this page`;
  return `${formatCount(total)} ${total === 1 ? 'payout' : 'payouts'}`;
}
