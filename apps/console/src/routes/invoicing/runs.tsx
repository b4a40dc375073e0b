import { useQuery } from '@tanstack/react-query';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useState } from 'react';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { RunDialog } from '../../features/invoices/runs/run-dialog.tsx';
import { runsQuery } from '../../features/invoices/runs/runs-queries.ts';
import { RunsTable } from '../../features/invoices/runs/runs-table.tsx';
import { messageOf } from '../../lib/api/api-error.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { ToTraders } from '../admin/admin-page.tsx';
import { useDirectoryOptions } from '../use-directory-options.ts';
import { BackTo } from './back-to.tsx';

const ROWS = 25;

function Runs() {
  usePageTitle('Invoicing runs');
  const [page, setPage] = useState(1);
  const [isAsked, setAsked] = useState(false);
  const { communities } = useDirectoryOptions();
  const { data, error, isPlaceholderData, refetch } = useQuery(runsQuery({ page, rows: ROWS }));
  useLastPage({ page, rows: ROWS, total: isPlaceholderData ? undefined : data?.meta.total }, setPage);
  const run = (
    <Button look="primary" onClick={() => setAsked(true)}>
      Run invoicing
    </Button>
  );
  return (
    <Page>
      <PageHeader
        back={<BackTo to="/invoices">Invoices</BackTo>}
        title="Invoicing runs"
        actions={run}
        note="What each invoiced and left out. A draft invoices no trader until it is sent; one that is not sent for a day is discarded."
      />
      <section
        aria-label="Runs"
        className="border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:overflow-hidden sm:rounded-lg"
      >
        <QueryState
          error={error && !data ? { title: 'The runs could not be loaded', message: messageOf(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!data}
          loading={<Loading text="Loading runs..." />}
          isEmpty={data?.meta.total === 0}
          empty={
            <MessagePanel
              icon={ReceiptText}
              title="Invoicing has not run yet"
              text="It runs at its time each week, or when you begin it."
            />
          }
        >
          <RunsTable rows={data?.data ?? []} isStale={isPlaceholderData} />
          <Pager page={page} pageRows={ROWS} total={data?.meta.total ?? 0} onChange={setPage} />
        </QueryState>
      </section>
      {isAsked && <RunDialog communities={communities} onClose={() => setAsked(false)} />}
    </Page>
  );
}

export default function RunsScreen() {
  return (
    <SuperOnly back={<ToTraders />}>
      <Runs />
    </SuperOnly>
  );
}
