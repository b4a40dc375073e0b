import { sumDecimals } from '@copydesk/domain/money';
import { MOST_RUN_COMMUNITIES } from '@copydesk/domain/payouts';
import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { useAsOf } from '../../../lib/live/freshness.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { IN_SELECTION_BAR, SelectionBar } from '../../../ui/list/selection-bar.tsx';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../../ui/table/plain-table/skeleton-table.tsx';
import { DistributeDialog } from '../distribute/distribute-dialog.tsx';
import { type DueOfCommunity, dueQuery } from '../payouts-queries.ts';
import { RunDialog } from '../runs/run-dialog.tsx';
import { communitiesWord } from '../runs/run-texts.ts';
import { dueColumns, isPayable } from './due-columns.tsx';

const NONE: ReadonlySet<string> = new Set();

/** What each community owes its recipients, the largest first, each paid from its own row. */
export function DuePanel() {
  const { data, error, refetch } = useQuery(dueQuery);
  const [paid, setPaid] = useState<DueOfCommunity['community'] | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(NONE);
  const [run, setRun] = useState<readonly string[] | null>(null);
  useAsOf(data?.meta.totals_at);
  const rows = data?.data;
  // Rows that were paid meanwhile leave the selection.
  const chosen = useMemo(
    () => rows?.filter((due) => isPayable(due) && ticked.has(due.community.id)) ?? [],
    [rows, ticked],
  );
  const columns = useMemo(
    () =>
      dueColumns(rows ?? [], {
        selected: new Set(chosen.map(({ community }) => community.id)),
        onSelect: (ids, isOn) =>
          setTicked((before) => {
            const next = new Set(before);
            for (const id of ids) isOn ? next.add(id) : next.delete(id);
            return next;
          }),
        onDistribute: setPaid,
      }),
    [rows, chosen],
  );
  return (
    <>
      <Panel
        title="Communities"
        count={rows?.length}
        flush
        note={
          data &&
          data.meta.count > 0 && (
            <span>
              <Money amount={data.meta.amount} as="cents" /> in{' '}
              <Count n={data.meta.count} of={['share', 'shares']} plain="The rows add up to them" />
            </span>
          )
        }
      >
        <QueryState
          error={
            error && !data ? { title: 'What is owed could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={!data && !error}
          loading={<SkeletonTable columns={columns} rows={6} />}
          isEmpty={rows?.length === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              title="Nothing to pay out"
              text="Shares of invoices appear here once the invoices are paid."
            />
          }
        >
          <div className="relative">
            {chosen.length > 0 && (
              <DueSelection
                chosen={chosen}
                onReview={() => setRun(chosen.map(({ community }) => community.id))}
                onClear={() => setTicked(NONE)}
              />
            )}
            <PlainTable
              label="Communities with shares to pay out, the largest first"
              columns={columns}
              rows={rows ?? []}
              keyOf={({ community }) => community.id}
              dimmedOf={({ community }) => community.is_archived}
            />
          </div>
        </QueryState>
      </Panel>
      {run && (
        <RunDialog
          communityIds={run}
          onClose={() => {
            setRun(null);
            setTicked(NONE);
          }}
        />
      )}
      {paid && <DistributeDialog community={paid} onClose={() => setPaid(null)} />}
    </>
  );
}

interface DueSelectionProps {
  chosen: readonly DueOfCommunity[];
  onReview(): void;
  onClear(): void;
}

/** The communities that are paid as one. */
function DueSelection({ chosen, onReview, onClear }: DueSelectionProps) {
  const amount = sumDecimals(chosen.map(({ payable }) => payable.amount));
  const isTooMany = chosen.length > MOST_RUN_COMMUNITIES;
  return (
    <SelectionBar
      isPlain
      words={
        <>
          <strong className="font-semibold">{communitiesWord(chosen.length)}</strong> selected
          <span className="text-muted">{` · ${usdt(amount)} payable now`}</span>
          {isTooMany && (
            <span className="text-caution">{` · ${formatCount(MOST_RUN_COMMUNITIES)} at once at most`}</span>
          )}
        </>
      }
      onClear={onClear}
    >
      <Button
        look="primary"
        className={IN_SELECTION_BAR}
        aria-disabled={isTooMany}
        onClick={() => !isTooMany && onReview()}
      >
        Review and pay
      </Button>
    </SelectionBar>
  );
}
