import { LINE_OUTCOMES } from '@copydesk/domain/invoices';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import SearchX from 'lucide-react/icons/search-x';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { SuperOnly } from '../../features/identity/super-only.tsx';
import { RecallDialog } from '../../features/invoices/acts/recall-dialog.tsx';
import { MatchingTraders, RunLines, useExclusions } from '../../features/invoices/runs/run-lines.tsx';
import { type LinesSearch, linesFrom, runLinesList } from '../../features/invoices/runs/run-lines-search.ts';
import { RunSummary } from '../../features/invoices/runs/run-summary.tsx';
import {
  invoicesWord,
  outcomeLabel,
  RUN_STATES,
  reachOf,
  tradersWord,
} from '../../features/invoices/runs/run-texts.ts';
import {
  type LinesAnswer,
  linesQuery,
  type RunDetail,
  runQuery,
} from '../../features/invoices/runs/runs-queries.ts';
import { DiscardDialog, SendDialog } from '../../features/invoices/runs/send-dialog.tsx';
import { formatCount } from '../../lib/format/numbers.ts';
import { useScreenSearch } from '../../lib/url/use-screen-search.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { RecordProblem } from '../../ui/feedback/record-problem.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Page, PageHeader } from '../../ui/layout/page.tsx';
import { ListHead } from '../../ui/list/list-head.tsx';
import { PagedPanel } from '../../ui/list/list-panel.tsx';
import { ToTraders } from '../admin/admin-page.tsx';
import { BackTo } from './back-to.tsx';

const PANEL_ID = 'run-panel';

function Header({ run, children }: { run: RunDetail; children: ReactNode }) {
  const { label, tone } = RUN_STATES[run.state];
  const by = run.sent_by ?? run.requested_by;
  return (
    <PageHeader
      back={<BackTo to="/invoices/runs">Runs</BackTo>}
      title={run.drafted_at && !run.sent_by ? 'Draft of invoices' : 'Invoicing run'}
      facts={
        <>
          <State tone={tone}>{label}</State>
          <span className="min-w-0 text-xs wrap-anywhere text-muted">
            <bdi>{reachOf(run)}</bdi>, by <bdi>{by}</bdi>,{' '}
            <When at={run.finished_at ?? run.drafted_at ?? run.created_at} />
          </span>
        </>
      }
      actions={children}
      note={
        run.state === 'draft' &&
        'No trader is invoiced or notified yet. It is about what had closed when it was made; what closes later comes with the next run.'
      }
    />
  );
}

function RunPage() {
  const { runId } = useParams({ from: '/console/invoices/runs/$runId' });
  const { data: run, error, refetch } = useQuery(runQuery(runId));
  usePageTitle(run?.state === 'draft' ? 'Draft of invoices' : 'Invoicing run');
  if (error && !run)
    return (
      <RecordProblem
        error={error}
        missing={{ title: 'Run not found', text: 'This invoicing run could not be found.' }}
        failed="The invoicing run could not be loaded"
        onRetry={() => void refetch()}
      >
        <BackTo to="/invoices/runs" look="outline">
          Runs
        </BackTo>
      </RecordProblem>
    );
  return run ? <RunScreen run={run} /> : <Loading />;
}

function RunScreen({ run }: { run: RunDetail }) {
  const [search, change] = useScreenSearch(runLinesList.read);
  const filters = useMemo(() => linesFrom(search), [search]);
  const { data, error, isPlaceholderData, refetch } = useQuery(linesQuery(run, filters));
  const [asked, setAsked] = useState<{
    act: 'send' | 'discard' | 'recall';
    run: RunDetail;
    sums: LinesAnswer['meta'];
  } | null>(null);
  const narrow = useCallback(
    (changed: LinesSearch, how?: { replace: boolean }) => change({ ...changed, page: undefined }, how),
    [change],
  );
  const { outcome } = filters;
  const sums = data?.meta;
  const total = sums?.total ?? 0;
  const all = sums ? Object.values(sums.outcomes).reduce((sum, { traders }) => sum + traders, 0) : 0;
  const close = () => setAsked(null);
  const exclusion = useExclusions(run);
  const canSend = run.invoices > 0 && sums !== undefined && !exclusion.isUnderWay;
  const isDraft = run.state === 'draft';
  const canRecall = run.state === 'done' && run.invoices > run.recalled;
  return (
    <Page>
      <Header run={run}>
        {isDraft && (
          <>
            <Button onClick={() => sums && setAsked({ act: 'discard', run, sums })}>Discard</Button>
            <Button
              look="primary"
              aria-disabled={!canSend}
              title={run.invoices === 0 ? 'No trader is left to invoice' : undefined}
              onClick={() => canSend && setAsked({ act: 'send', run, sums })}
            >
              Send {invoicesWord(run.invoices)}
            </Button>
          </>
        )}
        {canRecall && sums && (
          <Button onClick={() => setAsked({ act: 'recall', run, sums })}>Recall invoices</Button>
        )}
      </Header>
      <RunSummary run={run} sums={sums} />
      <div>
        <ListHead
          what="traders"
          tabs={{
            label: 'Traders of the run',
            panelId: PANEL_ID,
            ids: LINE_OUTCOMES,
            labelOf: (id) => outcomeLabel(id, run),
            countOf: sums && ((id) => formatCount(id ? sums.outcomes[id].traders : all)),
            active: outcome,
            onChange: (id) => narrow({ outcome: id }),
          }}
          list={runLinesList}
          values={filters}
          sources={{}}
          onChange={narrow}
          search={{ label: 'Search the traders of this run', placeholder: 'Trader' }}
          found={sums && tradersWord(total)}
          error={error}
        />
        <PagedPanel
          id={PANEL_ID}
          tab={outcome}
          what="traders"
          list={{ data, error, isPlaceholderData, refetch }}
          at={filters}
          pages={runLinesList}
          onChange={change}
          loading={<Loading text="Loading traders..." />}
          empty={<NoTraders run={run} isNarrowed={total < all} onClear={() => narrow(CLEARED)} />}
        >
          {isDraft && outcome !== 'carried' && outcome !== 'left_out' && total > (data?.data.length ?? 0) && (
            <MatchingTraders exclusion={exclusion} filters={filters} total={total} />
          )}
          <RunLines run={run} lines={data?.data ?? []} isStale={isPlaceholderData} exclusion={exclusion} />
        </PagedPanel>
      </div>
      {asked?.act === 'send' && <SendDialog run={asked.run} sums={asked.sums} onClose={close} />}
      {asked?.act === 'recall' && (
        <RecallDialog of={{ run_id: run.id }} title="Recall the invoices of this run" onClose={close} />
      )}
      {asked?.act === 'discard' && <DiscardDialog run={asked.run} onClose={close} />}
    </Page>
  );
}

const CLEARED = { ...runLinesList.noFilters, outcome: undefined };

function NoTraders(props: { run: RunDetail; isNarrowed: boolean; onClear(): void }) {
  const { run, isNarrowed, onClear } = props;
  if (isNarrowed)
    return (
      <MessagePanel icon={SearchX} title="No trader here" text="Others are in the other tabs.">
        <Button onClick={onClear}>Show all</Button>
      </MessagePanel>
    );
  if (run.state === 'discarded')
    return (
      <MessagePanel
        icon={SearchX}
        title="No traders are kept"
        text="What a discarded draft showed is kept for a day."
      />
    );
  return run.state === 'preparing' || run.state === 'running' ? (
    <Loading text="Looking at what has closed..." />
  ) : (
    <MessagePanel
      icon={SearchX}
      title="Nothing to invoice"
      text="No position with a profit has closed that was not invoiced yet."
    />
  );
}

export default function RunScreenOfSuperAdmins() {
  return (
    <SuperOnly back={<ToTraders />}>
      <RunPage />
    </SuperOnly>
  );
}
