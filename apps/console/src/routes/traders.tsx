import { TRADER_TABS } from '@copydesk/domain/traders';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import SearchX from 'lucide-react/icons/search-x';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useSession } from '../features/identity/identity-context.ts';
import { useListLayout } from '../features/lists/list-layout.ts';
import { OpensWithView } from '../features/lists/opens-with-view.tsx';
import { ViewsButton } from '../features/lists/views-button.tsx';
import { communitiesQuery } from '../features/providers/directory-queries.ts';
import { STATUS_LABELS } from '../features/traders/status-labels.ts';
import { TRADER_CARD_PX, traderColumns } from '../features/traders/trader-columns.tsx';
import { TraderViews } from '../features/traders/trader-views.tsx';
import { TradersHeader } from '../features/traders/traders-header.tsx';
import { countTradersQuery, exportTraders, wireFilters } from '../features/traders/traders-queries.ts';
import { filtersFrom, isTab, sortParams, tradersList } from '../features/traders/traders-search.ts';
import { TradersTable } from '../features/traders/traders-table.tsx';
import { useTraderRows } from '../features/traders/use-trader-rows.ts';
import { messageOf } from '../lib/api/api-error.ts';
import { formatCount } from '../lib/format/numbers.ts';
import { countSelected, useRowSelection } from '../lib/list/row-selection.ts';
import { useCan } from '../lib/rights.ts';
import { readChoice, rememberChoice } from '../lib/stored-choice.ts';
import { useScreenSearch } from '../lib/url/use-screen-search.ts';
import { useBackgroundExport } from '../lib/use-background-export.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { MessagePanel } from '../ui/feedback/message-panel.tsx';
import { QueryState } from '../ui/feedback/query-state.tsx';
import { Button } from '../ui/form/button.tsx';
import { ExportButton } from '../ui/form/filters/export-button.tsx';
import { Page } from '../ui/layout/page.tsx';
import { ListToolbar } from '../ui/list/list-toolbar.tsx';
import { CountTabs } from '../ui/table/count-tabs.tsx';
import { TableSkeleton } from '../ui/table/data-table/table-skeleton.tsx';
import { SortSelect } from '../ui/table/sort-select.tsx';
import { useDirectoryOptions } from './use-directory-options.ts';

const TraderActs = lazy(() => import('../features/bulk/trader-acts.tsx'));
const MatchesElsewhere = lazy(() => import('../features/traders/matches-elsewhere.tsx'));
const NewTraderDialog = lazy(() => import('../features/traders/create/new-trader-dialog.tsx'));

const TAB_KEY = 'tradersPageActiveTab';
const SORT_CHOICES = [
  { id: 'reference_number', label: 'Reference' },
  { id: 'telegram_username', label: 'Username' },
  { id: 'aum', label: 'Balance' },
] as const;
const PANEL_ID = 'traders-panel';
const ALL_TRADERS = countTradersQuery('tab=all');
const TAB_LABELS = { inbox: 'Inbox', connected: 'Connected', delinquent: 'Delinquent' } as const;

const allOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function Traders() {
  usePageTitle('Traders');
  const [search, change] = useScreenSearch(tradersList.read);
  const navigate = useNavigate();
  const filters = filtersFrom(search, readChoice(TAB_KEY));
  const rows = useTraderRows(filters);
  const columns = useListLayout('traders', search.saved);
  const communities = useQuery(communitiesQuery);
  const session = useSession();
  const mayWrite = useCan('traders:write');
  const [isCreating, setCreating] = useState(false);

  useEffect(() => {
    if (isTab(filters.tab)) rememberChoice(TAB_KEY, filters.tab);
  }, [filters.tab]);

  const open = (traderId: string) =>
    void navigate({ to: '/trader/$traderId', params: { traderId }, state: { fromTraders: true } });
  const changeText = useCallback(
    (text: string | undefined) => change({ search: text, in: undefined }, { replace: true }),
    [change],
  );
  const communityNames = useMemo(
    () =>
      communities.data || communities.error
        ? new Map(communities.data?.map(({ id, name }) => [id, name]))
        : undefined,
    [communities.data, communities.error],
  );
  const options = useDirectoryOptions();
  const { sort: _, ...narrowed } = filters;
  const selecting = useRowSelection(JSON.stringify(narrowed));
  const user = session.status === 'signed-in' ? session.user : null;
  const isSuper = user?.super === true;
  const canAct = mayWrite && user?.viewed_by === null;
  const { meta } = rows;
  const background = useBackgroundExport({
    list: 'traders',
    query: wireFilters(filters),
    total: rows.isStale ? undefined : meta?.total,
  });
  const isUnfiltered = Object.values(search).every((value) => value === undefined);
  const isNew = isUnfiltered && meta !== null && Object.values(meta.counts).every((n) => n === 0);
  const foundText =
    meta && !rows.isStale
      ? `${formatCount(meta.total)} ${meta.total === 1 ? 'trader' : 'traders'} found`
      : rows.error
        ? ''
        : 'Loading traders data...';
  const elsewhere = meta && !rows.isStale && filters.search !== undefined && (
    <Suspense fallback={null}>
      <MatchesElsewhere
        filters={filters}
        counts={meta.counts}
        communities={options.communities}
        onChange={change}
      />
    </Suspense>
  );
  return (
    <Page fills>
      <TradersHeader
        meta={meta}
        isFailed={rows.error !== null}
        isPart={user !== null && !isSuper}
        acts={mayWrite && <Button onClick={() => setCreating(true)}>New trader</Button>}
      />
      <div className="flex shrink-0 flex-wrap border-b border-line">
        <CountTabs
          label="Traders by status"
          panelId={PANEL_ID}
          active={isTab(filters.tab) ? filters.tab : null}
          onChange={(tab) => change({ tab })}
          tabs={TRADER_TABS.map((id) => ({
            id,
            label: TAB_LABELS[id],
            count: meta ? formatCount(meta.counts[id]) : '\u00a0',
          }))}
        />
        <TraderViews
          meta={meta}
          active={filters.tab}
          panelId={PANEL_ID}
          onChange={(tab) => change({ tab })}
        />
      </div>
      <ListToolbar
        list={tradersList}
        values={filters}
        sources={options}
        onChange={change}
        search={{
          label: 'Search by reference number',
          placeholder: 'Reference number',
          value: filters.search,
          onChange: changeText,
        }}
        sort={
          <SortSelect
            columns={SORT_CHOICES}
            sort={filters.sort}
            onChange={(sort) => change(sortParams(sort))}
          />
        }
        found={foundText}
        news={{
          all: ALL_TRADERS,
          shown: meta && !rows.isStale ? allOf(meta.counts) : undefined,
          onShow: (none) => change({ ...none, tab: 'all' }),
        }}
      >
        <ViewsButton
          screen="traders"
          list={tradersList}
          // A view of the remembered tab is of that tab on every machine.
          search={{ ...search, tab: filters.tab }}
          columns={columns}
          countOf={countTradersQuery}
          onApply={change}
        />
        <ExportButton onExport={() => exportTraders(filters)} background={background} />
      </ListToolbar>
      {/* Where nothing was found, what was found elsewhere comes first. */}
      {meta?.total === 0 && elsewhere}
      <div
        role="tabpanel"
        id={PANEL_ID}
        aria-labelledby={`${PANEL_ID}-${filters.tab}`}
        className={clsx(
          'relative flex min-h-0 flex-col overflow-hidden border border-line bg-surface',
          'max-sm:-mx-4 max-sm:flex-1 max-sm:border-x-0 max-sm:border-b-0 sm:rounded-lg',
          // A short list ends where its rows end.
          meta && meta.total > 0 ? 'sm:flex-initial' : 'flex-1',
        )}
      >
        <QueryState
          error={
            rows.error && !meta
              ? { title: 'The traders could not be loaded', message: messageOf(rows.error) }
              : null
          }
          onRetry={rows.retry}
          isLoading={!meta}
          loading={<TableSkeleton columns={traderColumns(undefined, null)} cardHeight={TRADER_CARD_PX} />}
          isEmpty={meta?.total === 0}
          empty={<NoTraders isNew={isNew} />}
        >
          <TradersTable
            rows={rows}
            sort={filters.sort}
            communityNames={communityNames}
            arrangement={columns}
            selecting={canAct ? selecting : null}
            onSort={(sort) => change(sortParams(sort))}
            onOpen={open}
          />
          {canAct && countSelected(selecting.selection, meta?.total ?? 0) > 0 && (
            <Suspense fallback={null}>
              <TraderActs
                selecting={selecting}
                total={meta?.total ?? 0}
                query={wireFilters(filters)}
                isSuper={isSuper}
                labels={STATUS_LABELS}
              />
            </Suspense>
          )}
        </QueryState>
      </div>
      {meta?.total !== 0 && elsewhere}
      {isCreating && (
        <Suspense fallback={null}>
          <NewTraderDialog
            directory={communities}
            communityId={filters.community}
            onClose={() => setCreating(false)}
            onCreated={open}
          />
        </Suspense>
      )}
    </Page>
  );
}

export function TradersScreen() {
  return (
    <OpensWithView screen="traders" list={tradersList}>
      <Traders />
    </OpensWithView>
  );
}

/**
 * The empty list of traders.
 * @param isNew whether there are none at all: a super admin has an installation to set up
 */
function NoTraders({ isNew }: { isNew: boolean }) {
  const session = useSession();
  const navigate = useNavigate();
  const setsUp = isNew && session.status === 'signed-in' && session.user.super;
  return (
    <MessagePanel icon={SearchX} title="No traders found" text="Try adjusting your filters">
      {setsUp && <Button onClick={() => void navigate({ to: '/settings' })}>Continue the set-up</Button>}
    </MessagePanel>
  );
}
