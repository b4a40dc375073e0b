import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { DepositReadingNotice } from '../features/deposits/deposit-reading-notice.tsx';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { AwaitingNotice } from '../features/payouts/approval/awaiting-notice.tsx';
import { FrozenNotice } from '../features/payouts/frozen/frozen-notice.tsx';
import { exportPayouts } from '../features/payouts/history/history-queries.ts';
import { filtersFrom, type PayoutsSearch } from '../features/payouts/history/history-search.ts';
import { PayoutsList } from '../features/payouts/history/list/payouts-list.tsx';
import { usePayouts } from '../features/payouts/history/list/use-payouts.ts';
import { PayoutPanel } from '../features/payouts/history/panel/payout-panel.tsx';
import { SummaryStrip } from '../features/payouts/history/summary/summary-strip.tsx';
import { clockTime } from '../lib/format/read-time.ts';
import { liveStatus } from '../lib/live/live-status.ts';
import { useStore } from '../lib/store.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { LiveIndicator } from '../ui/feedback/live-indicator.tsx';
import { ExportButton } from '../ui/form/filters/export-button.tsx';
import { HistoryToolbar } from './history-toolbar.tsx';
import { useDirectoryOptions } from './use-directory-options.ts';

export default function TransactionHistoryScreen() {
  usePageTitle('Transaction History');
  const search = useSearch({ from: '/console/transaction-history' });
  const navigate = useNavigate({ from: '/transaction-history' });
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const live = useStore(liveStatus);
  const { communities } = useDirectoryOptions();
  const filters = filtersFrom(search);
  const { sort: _sort, rows: _rows, page: _page, ...narrowing } = filters;
  const { find, payout } = search;
  const list = usePayouts(filters, find);

  const change = useCallback(
    (changed: PayoutsSearch, { replace = false } = {}) =>
      void navigate({
        to: '/transaction-history',
        search: (before) => ({ ...before, ...changed }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const close = useCallback(() => change({ payout: undefined }, { replace: true }), [change]);

  // The URL names a page beyond the end of the history.
  const lastPage = list.total === null ? null : Math.max(1, Math.ceil(list.total / filters.rows));
  const isBeyond = lastPage !== null && !list.isStale && filters.page > lastPage;
  useEffect(() => {
    if (isBeyond) change({ page: lastPage > 1 ? String(lastPage) : undefined }, { replace: true });
  }, [isBeyond, lastPage, change]);

  return (
    <div className="mx-auto flex h-full min-h-160 w-full max-w-7xl flex-col px-4 pt-4 sm:px-6 sm:pb-6">
      <div className="flex items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
            Transaction History
          </h1>
          <p className="text-xs text-pretty text-muted">
            All distribution payouts across communities. Links open on BscScan.
          </p>
          {!isSuper && (
            <p className="text-xs text-pretty text-muted">
              Amounts are your part: what comes from invoices of your providers.
            </p>
          )}
          <p className="mt-0.5 flex h-5 items-center gap-2 text-xs whitespace-nowrap text-muted">
            <LiveIndicator status={live} />
            {list.totalsAt && <span className="tabular-nums">Totals as of {clockTime(list.totalsAt)}</span>}
          </p>
        </div>
        <ExportButton onExport={() => exportPayouts(filters)} />
      </div>
      {isSuper && (
        <div className="mt-3 grid shrink-0 gap-2 empty:hidden">
          <AwaitingNotice />
          <DepositReadingNotice explorerUrl={explorerUrl} />
          <FrozenNotice nameOf={(id) => communities.find(({ value }) => value === id)?.label} />
        </div>
      )}
      {!list.problem && <SummaryStrip narrowing={narrowing} />}
      <HistoryToolbar filters={filters} find={find} communities={communities} list={list} onChange={change} />
      <div className="flex min-h-80 flex-1 gap-4">
        <PayoutsList
          isSuper={isSuper}
          list={list}
          filters={filters}
          find={find}
          openId={payout}
          explorerUrl={explorerUrl}
          onChange={change}
        />
        {payout && (
          <PayoutPanel key={payout} id={payout} isSuper={isSuper} explorerUrl={explorerUrl} onClose={close} />
        )}
      </div>
    </div>
  );
}
