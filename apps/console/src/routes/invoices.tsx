import { INVOICE_TABS } from '@copydesk/domain/invoices';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import type { BulkSelection } from '../features/bulk/bulk-queries.ts';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import type { Act, Chosen } from '../features/invoices/acts/act.ts';
import { ActDialog } from '../features/invoices/acts/act-dialog.tsx';
import { NO_TRADER, NotifyDialog } from '../features/invoices/acts/notify-dialog.tsx';
import { DifferencesNotice } from '../features/invoices/differences/differences-notice.tsx';
import { InvoicesHeader } from '../features/invoices/invoices-header.tsx';
import { invoicesKeys } from '../features/invoices/invoices-keys.ts';
import {
  countGroupsQuery,
  exportInvoices,
  exportQuery,
  type Invoice,
} from '../features/invoices/invoices-queries.ts';
import {
  filtersFrom,
  type InvoiceFilters,
  type InvoicesSearch,
  invoicesList,
  sortParams,
} from '../features/invoices/invoices-search.ts';
import { InvoiceList } from '../features/invoices/list/invoice-list.tsx';
import { useInvoiceList } from '../features/invoices/list/use-invoice-list.ts';
import { MatchesElsewhere } from '../features/invoices/matches-elsewhere.tsx';
import { InvoicePanel } from '../features/invoices/panel/invoice-panel.tsx';
import { OtherTokensNotice } from '../features/invoices/payments/other-tokens-notice.tsx';
import { UnmatchedNotice } from '../features/invoices/payments/unmatched-notice.tsx';
import { LastRun } from '../features/invoices/runs/last-run.tsx';
import { RunDialog } from '../features/invoices/runs/run-dialog.tsx';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { NotesSection } from '../features/notes/notes.tsx';
import { TimelineSection } from '../features/timeline/timeline.tsx';
import { formatCount } from '../lib/format/numbers.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { useBackgroundExport } from '../lib/use-background-export.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { toast } from '../ui/feedback/toast-store.ts';
import { Button } from '../ui/form/button.tsx';
import { ExportButton } from '../ui/form/filters/export-button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { ListToolbar } from '../ui/list/list-toolbar.tsx';
import { CountTabs } from '../ui/table/count-tabs.tsx';
import { SortSelect } from '../ui/table/sort-select.tsx';
import { useDirectoryOptions } from './use-directory-options.ts';

const BulkDialog = lazy(() => import('../features/bulk/bulk-dialog.tsx'));

const PANEL_ID = 'invoices-panel';
const SORT_CHOICES = [
  { id: 'created_at', label: 'Created' },
  { id: 'updated_at', label: 'Updated' },
  { id: 'amount', label: 'Total' },
] as const;
const ALL_GROUPS = countGroupsQuery('');
const TAB_LABELS = { all: 'All', unpaid: 'Unpaid', paid: 'Paid', archived: 'Archived' } as const;

function Invoices() {
  usePageTitle('Invoices');
  const [search, change] = useScreenSearch(invoicesList.read);
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const options = useDirectoryOptions();
  const filters = filtersFrom(search);
  const element = useRef<HTMLDivElement>(null);
  const columns = useListLayout('invoices', search.saved);
  const list = useInvoiceList(filters, element);
  const [act, setAct] = useState<Act | null>(null);
  const [notified, setNotified] = useState<Invoice['trader'] | null>(null);
  const [told, setTold] = useState<BulkSelection | null>(null);
  const [isRunOpen, setRunOpen] = useState(false);

  /** New filters start on the first page. */
  const ask = useCallback(
    (changed: InvoicesSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const changeText = useCallback(
    (text: string | undefined) => ask({ search: text, in: undefined }, { replace: true }),
    [ask],
  );
  const close = useCallback(() => change({ invoice: undefined }, { replace: true }), [change]);
  const notify = useCallback((trader: Invoice['trader'] | null) => {
    if (trader) setNotified(trader);
    else toast({ tone: 'negative', title: NO_TRADER });
  }, []);
  const { meta } = list.page ?? {};
  const { invoice: openId } = search;
  // Each of these groups has an invoice at least.
  const background = useBackgroundExport({
    list: 'invoices',
    query: exportQuery(filters),
    total: list.isStale ? undefined : meta?.total,
  });
  const elsewhere = meta && !list.isStale && (
    <MatchesElsewhere
      filters={filters}
      counts={meta.counts}
      communities={options.communities}
      onChange={ask}
    />
  );
  return (
    <Page fills>
      <InvoicesHeader
        totalsAt={meta?.totals_at ?? null}
        lastRun={isSuper && <LastRun />}
        isOutdated={list.isOutdated}
        onShowNewest={list.showNewest}
        actions={
          <>
            <ViewsButton
              screen="invoices"
              list={invoicesList}
              search={search}
              columns={columns}
              countOf={countGroupsQuery}
              onApply={change}
            />
            <ExportButton onExport={() => exportInvoices(filters)} background={background} />
            {isSuper && <Button onClick={() => setRunOpen(true)}>Run invoicing</Button>}
          </>
        }
      />
      <div className="mb-2 grid shrink-0 gap-2 empty:hidden">
        {isSuper && <DifferencesNotice />}
        {isSuper && <UnmatchedNotice explorerUrl={explorerUrl} />}
        {isSuper && <OtherTokensNotice explorerUrl={explorerUrl} />}
      </div>
      <div className="flex shrink-0 border-b border-line">
        <CountTabs
          label="Invoices by state"
          panelId={PANEL_ID}
          active={filters.tab}
          onChange={(tab) => ask({ tab: tab === 'all' ? undefined : tab })}
          tabs={INVOICE_TABS.map((id) => ({
            id,
            label: TAB_LABELS[id],
            count: meta ? formatCount(meta.counts[id]) : '\u00a0',
          }))}
        />
      </div>
      <ListToolbar
        list={invoicesList}
        values={filters}
        sources={options}
        onChange={ask}
        search={{
          label: 'Search by reference number',
          placeholder: 'Reference number',
          value: filters.search,
          onChange: changeText,
        }}
        sort={
          <SortSelect columns={SORT_CHOICES} sort={filters.sort} onChange={(sort) => ask(sortParams(sort))} />
        }
        found={foundWords(list)}
        news={{
          all: ALL_GROUPS,
          shown: list.isStale ? undefined : meta?.counts.all,
          onShow: (none) => ask({ ...none, tab: undefined }),
        }}
      />
      {/* Where nothing was found, what was found elsewhere comes first. */}
      {meta?.total === 0 && elsewhere}
      <div className="flex min-h-0 flex-1 gap-4">
        <InvoiceList
          list={list}
          arrangement={columns}
          filters={filters}
          isSuper={isSuper}
          openId={openId}
          element={element}
          panel={{ id: PANEL_ID, labelledBy: `${PANEL_ID}-${filters.tab}` }}
          onChange={change}
          onOpen={(invoice) => change({ invoice }, { replace: openId !== undefined })}
          onAct={setAct}
          onNotify={notify}
          onNotifyAll={(chosen) => setTold(tradersOf(chosen, filters))}
        />
        {openId && (
          <InvoicePanel
            key={openId}
            id={openId}
            notes={
              <NotesSection subject={{ subject_kind: 'invoice', subject_id: openId }} isSuper={isSuper} />
            }
            timeline={
              <TimelineSection
                kind="invoice"
                id={openId}
                under={invoicesKeys.detail(openId)}
                money="usd"
                explorerUrl={explorerUrl}
              />
            }
            isSuper={isSuper}
            explorerUrl={explorerUrl}
            onClose={close}
            onAct={setAct}
            onNotify={notify}
          />
        )}
      </div>
      {meta?.total !== 0 && elsewhere}
      {act && (
        <ActDialog
          act={act}
          filters={filters}
          onClose={() => setAct(null)}
          onDone={() => {
            setAct(null);
            list.ticking.clear();
          }}
        />
      )}
      {told && (
        <Suspense fallback={null}>
          <BulkDialog
            chosen={{ act: 'notify', selection: told }}
            onClose={() => setTold(null)}
            onOrdered={() => {
              setTold(null);
              list.ticking.clear();
            }}
          />
        </Suspense>
      )}
      {notified && <NotifyDialog trader={notified} onClose={() => setNotified(null)} />}
      {isRunOpen && <RunDialog communities={options.communities} onClose={() => setRunOpen(false)} />}
    </Page>
  );
}

export default function InvoicesScreen() {
  return (
    <OpensWithView screen="invoices" list={invoicesList}>
      <Invoices />
    </OpensWithView>
  );
}

function foundWords({ page, isStale, error }: ReturnType<typeof useInvoiceList>): string {
  if (!page || isStale) return error ? '' : 'Loading invoices...';
  const { total } = page.meta;
  return `${formatCount(total)} ${total === 1 ? 'group' : 'groups'} found`;
}

/** Whom a message about unpaid invoices is for: the traders of what is selected, whatever the filters say of their invoices. */
function tradersOf({ groups, invoices, allBut }: Chosen, filters: InvoiceFilters): BulkSelection {
  if (!allBut) {
    const traders = [...groups, ...invoices].flatMap(({ trader }) => (trader ? [trader.id] : []));
    return { trader_ids: [...new Set(traders)] };
  }
  const query = Object.entries(exportQuery(filters)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const except = allBut.map(({ traderId }) => traderId);
  return { matching: { list: 'invoices', query: Object.fromEntries(query), except } };
}
