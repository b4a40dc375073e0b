import { BULK_OUTCOMES, type BulkOutcome } from '@copydesk/domain/bulk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { isUnfinished } from '../../lib/api/own-work.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { listName } from '../../lib/format/trader-name.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { Loading } from '../../ui/feedback/loading.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { State } from '../../ui/feedback/state.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Progress } from '../../ui/figures/progress.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../ui/form/dialog.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { type BulkActRow, bulkKey, bulkRowsQuery, stopAct } from './bulk-queries.ts';
import { progressText, REASONS, resultOf, shownState, wordsOf } from './bulk-texts.ts';

/** The bulk acts of a person, newest first. */
export function BulkActsTable({ rows }: { rows: readonly BulkActRow[] }) {
  const [opened, setOpened] = useState<BulkActRow | null>(null);
  const columns = useMemo(() => columnsOf(setOpened), []);
  return (
    <>
      <PlainTable label="Your bulk acts, newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {opened && <RowsDialog act={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function columnsOf(onOpen: (row: BulkActRow) => void): readonly PlainColumn<BulkActRow>[] {
  return [
    {
      id: 'act',
      header: 'Act',
      width: '26%',
      onCard: 'lead',
      cell: ({ act, status }) => <span className="font-medium">{wordsOf(act, status).title}</span>,
    },
    {
      id: 'state',
      header: 'State',
      width: '16%',
      onCard: 'end',
      cell: (row) => {
        const { label, tone } = shownState(row);
        return <State tone={tone}>{label}</State>;
      },
    },
    {
      id: 'result',
      header: 'Result',
      width: '27%',
      onCard: 'line',
      cell: (row) => <Result row={row} />,
    },
    {
      id: 'ordered',
      header: 'Ordered',
      width: '11%',
      align: 'end',
      cell: ({ created_at }) => <When at={created_at} as="ago" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '20%',
      align: 'end',
      onCard: 'line',
      cell: (row) => <Acts row={row} onOpen={() => onOpen(row)} />,
    },
  ];
}

function Result({ row }: { row: BulkActRow }) {
  if (!isUnfinished(row)) return <span className="whitespace-normal tabular-nums">{resultOf(row)}</span>;
  const { done, left_out: leftOut, failed, total } = row;
  return (
    <span className="flex min-w-0 flex-col items-start gap-1 max-md:items-end">
      <span className="text-muted tabular-nums">{progressText(row)}</span>
      <Progress
        label={`Progress: ${progressText(row)}`}
        value={done + leftOut + failed}
        max={total}
        className="h-1 w-32"
      />
    </span>
  );
}

/** What can be done with an act, in its last column. */
function Acts({ row, onOpen }: { row: BulkActRow; onOpen(): void }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { title } = wordsOf(row.act, row.status);
  const stopWord = row.state === 'waiting' && row.done === 0 ? 'Undo' : 'Stop';
  const busily = (work: () => Promise<void>) => async () => {
    if (isBusy) return;
    setBusy(true);
    await work();
    setBusy(false);
  };
  const retry = async () => {
    try {
      await call('POST /api/bulk-acts/{id}/retry', { params: { id: row.id } });
    } catch (error) {
      toast({ tone: 'negative', title: 'Not tried again', text: messageOf(error) });
    }
    await invalidate(client, { queryKey: bulkKey });
  };
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 md:py-1">
      {isUnfinished(row) && (
        <Button
          className="h-7!"
          aria-label={`${stopWord}: ${title}`}
          aria-disabled={isBusy}
          onClick={busily(() => stopAct(client, row.id))}
        >
          {stopWord}
        </Button>
      )}
      {row.state === 'done' && row.failed > 0 && (
        <Button
          className="h-7!"
          aria-label={`Retry the ${formatCount(row.failed)} failed: ${title}`}
          aria-disabled={isBusy}
          onClick={busily(retry)}
        >
          Retry the {formatCount(row.failed)} failed
        </Button>
      )}
      <Button className="h-7!" aria-label={`Show traders: ${title}`} onClick={onOpen}>
        Show traders
      </Button>
    </span>
  );
}

const PAGE_ROWS = 50;
const OUTCOMES: Record<BulkOutcome, string> = { done: 'Done', left_out: 'Left out', failed: 'Failed' };

/** What became of each trader of an act. */
function RowsDialog({ act, onClose }: { act: BulkActRow; onClose(): void }) {
  const [outcome, setOutcome] = useState<BulkOutcome | undefined>(undefined);
  const [page, setPage] = useState(1);
  const { data, error, isPlaceholderData, refetch } = useQuery(
    bulkRowsQuery(act.id, { ...(outcome && { outcome }), page, rows: PAGE_ROWS }),
  );
  useLastPage({ page, rows: PAGE_ROWS, total: isPlaceholderData ? undefined : data?.meta.total }, setPage);
  return (
    <Dialog title={wordsOf(act.act, act.status).title} text={resultOf(act)} wide onClose={onClose}>
      <DialogBody>
        <fieldset className="flex shrink-0 flex-wrap gap-1.5 px-4 py-3">
          <legend className="sr-only">Result</legend>
          {[undefined, ...BULK_OUTCOMES].map((choice) => (
            <Button
              key={choice ?? 'all'}
              className="h-7!"
              look={choice === outcome ? 'primary' : 'outline'}
              aria-pressed={choice === outcome}
              onClick={() => {
                setOutcome(choice);
                setPage(1);
              }}
            >
              {choice ? OUTCOMES[choice] : 'All'}
            </Button>
          ))}
        </fieldset>
        <QueryState
          small
          error={
            error && !data ? { title: 'The traders could not be loaded', message: messageOf(error) } : null
          }
          onRetry={() => void refetch()}
          isLoading={data === undefined}
          loading={<Loading text="Loading traders..." />}
          isEmpty={data?.data.length === 0}
          empty={<p className="py-6 text-center text-muted">No trader has this result</p>}
        >
          <ul className="min-h-0 flex-1 divide-y divide-line overflow-y-auto border-t border-line">
            {data?.data.map((row, index) => (
              <li
                key={row.trader_id ?? `gone ${index}`}
                className="flex min-h-9 items-center justify-between gap-3 px-4 py-1"
              >
                <span className="min-w-0 truncate">
                  {row.trader_id === null ? (
                    <span className="text-muted">No longer there for you</span>
                  ) : (
                    <Link
                      to="/trader/$traderId"
                      params={{ traderId: row.trader_id }}
                      className="font-medium text-accent hover:underline"
                    >
                      <bdi>{listName(row)}</bdi>
                    </Link>
                  )}
                </span>
                <span className="shrink-0 text-sm text-muted">
                  {row.reason ? REASONS[row.reason] : row.outcome ? OUTCOMES[row.outcome] : 'Waiting'}
                </span>
              </li>
            ))}
          </ul>
          <Pager
            label="Pages of traders"
            page={page}
            pageRows={PAGE_ROWS}
            total={data?.meta.total ?? 0}
            onChange={setPage}
          />
        </QueryState>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Close</Button>
      </DialogFoot>
    </Dialog>
  );
}
