import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { DepositReadingNotice } from '../features/deposits/deposit-reading-notice.tsx';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { AwaitingNotice } from '../features/payouts/approval/awaiting-notice.tsx';
import { FrozenNotice } from '../features/payouts/frozen/frozen-notice.tsx';
import { exportPayouts, exportQuery } from '../features/payouts/history/history-queries.ts';
import { filtersFrom, type PayoutsSearch } from '../features/payouts/history/history-search.ts';
import { PayoutsList } from '../features/payouts/history/list/payouts-list.tsx';
import { usePayouts } from '../features/payouts/history/list/use-payouts.ts';
import { PayoutPanel } from '../features/payouts/history/panel/payout-panel.tsx';
import { SummaryStrip } from '../features/payouts/history/summary/summary-strip.tsx';
import { useAsOf } from '../lib/live/freshness.ts';
import { useBackgroundExport } from '../lib/use-background-export.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { ExportButton } from '../ui/form/filters/export-button.tsx';
import { Page, PageHeader } from '../ui/layout/page.tsx';
import { HistoryToolbar } from './history-toolbar.tsx';
import { useDirectoryOptions } from './use-directory-options.ts';

export default function TransactionHistoryScreen() {
  usePageTitle('Transaction History');
  const search = useSearch({ from: '/console/transaction-history' });
  const navigate = useNavigate({ from: '/transaction-history' });
  const session = useSession();
  const isSuper = session.status === 'signed-in' && session.user.super;
  const explorerUrl = useIdentity().config.explorer_url;
  const { communities } = useDirectoryOptions();
  const filters = filtersFrom(search);
  const { sort: _sort, rows: _rows, page: _page, ...narrowing } = filters;
  const { find, payout } = search;
  const list = usePayouts(filters, find);
  useAsOf(list.totalsAt);
  const background = useBackgroundExport({
    list: 'payouts',
    query: exportQuery(filters),
    total: list.isStale ? undefined : (list.total ?? undefined),
  });

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
    <Page fills>
      <PageHeader
        title="Transaction History"
        note={
          <>
            <p>All distribution payouts across communities. Links open on BscScan.</p>
            {!isSuper && <p>Amounts are your part: what comes from invoices of your providers.</p>}
          </>
        }
        actions={<ExportButton onExport={() => exportPayouts(filters)} background={background} />}
      />
      {isSuper && (
        <div className="mb-2 grid shrink-0 gap-2 empty:hidden">
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
    </Page>
  );
}
