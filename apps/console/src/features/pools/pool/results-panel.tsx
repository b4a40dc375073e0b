import { breakerDistance, isBreakerTripped } from '@copydesk/domain/pools';
import { useQuery } from '@tanstack/react-query';
import ChartLine from 'lucide-react/icons/chart-line';
import { lazy, Suspense, useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount, numberFormat } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { FEWEST_POINTS } from '../../../ui/figures/chart-axis.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { type PoolCycleResult, type PooledAccount, poolResultsQuery } from '../pools-queries.ts';
import { ListSkeleton } from './list-skeleton.tsx';

const DrawdownChart = lazy(() => import('../../../ui/figures/drawdown-chart.tsx'));

const PAGE_ROWS = 12;
const EXPECTED = 3;
const price = numberFormat({ minimumFractionDigits: 4, maximumFractionDigits: 4 });

function resultColumns(isSuper: boolean): readonly PlainColumn<PoolCycleResult>[] {
  const amounts: PlainColumn<PoolCycleResult>[] = [
    {
      id: 'opening',
      header: 'Traded (USDT)',
      width: '18%',
      align: 'end',
      onCard: 'line',
      cell: ({ opening }) => (opening === null ? null : <Money amount={opening} as="bare" />),
    },
    {
      id: 'result',
      header: 'Result (USDT)',
      width: '18%',
      align: 'end',
      onCard: 'line',
      cell: ({ result }) => (result === null ? null : <Money as="bare" isSigned amount={result} />),
    },
  ];
  return [
    {
      id: 'cycle',
      header: 'Cycle',
      width: '10%',
      onCard: 'lead',
      cell: ({ cycle_number }) => `Cycle ${formatCount(cycle_number)}`,
    },
    {
      id: 'valued',
      header: 'Valued',
      width: '14%',
      onCard: 'end',
      cell: ({ valued_at }) =>
        valued_at ? <When at={valued_at} as="day" /> : <span className="text-muted">–</span>,
    },
    ...(isSuper ? amounts : []),
    {
      id: 'return',
      header: 'Return',
      width: '12%',
      align: 'end',
      cell: ({ return_percentage }) => <Percentage isSigned value={return_percentage} />,
    },
    {
      id: 'price',
      header: 'Unit price',
      width: '14%',
      align: 'end',
      cell: ({ unit_price }) => <span title={unit_price}>{price(unit_price)}</span>,
    },
    {
      id: 'drawdown',
      header: 'Drawdown',
      width: '14%',
      align: 'end',
      cell: ({ drawdown }) => <Percentage isSigned value={drawdown} />,
    },
  ];
}

/** The results of a pool by cycle, with the unit price that follows from them. */
export function ResultsPanel({ pool, isSuper }: { pool: PooledAccount; isSuper: boolean }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(poolResultsQuery(pool));
  useLastPage({ page, rows: PAGE_ROWS, total: data?.length }, setPage);
  const columns = useMemo(() => resultColumns(isSuper), [isSuper]);
  const [latest] = data ?? [];
  const deepest = data?.reduce<PoolCycleResult | null>(
    (worst, one) => (worst === null || Number(one.drawdown) < Number(worst.drawdown) ? one : worst),
    null,
  );
  return (
    <Panel
      title="Results"
      flush
      count={data?.length}
      {...(latest &&
        deepest && {
          note: (
            <>
              <span>Unit price {price(latest.unit_price as `${number}`)} before fees</span>
              {pool.max_drawdown_percentage !== null && (
                <Breaker drawdown={latest.drawdown} limit={pool.max_drawdown_percentage} />
              )}
              <span>
                Deepest drawdown <Percentage isSigned value={deepest.drawdown} />
              </span>
            </>
          ),
        })}
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The results could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<ListSkeleton columns={columns} rows={EXPECTED} text="Loading results..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={ChartLine}
            level={3}
            small
            title="No results"
            text="Each harvest adds the result of its cycle here."
          />
        }
      >
        <PriceChart results={data ?? []} />
        <PlainTable
          label="Results by cycle, newest first"
          columns={columns}
          rows={(data ?? []).slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)}
          keyOf={({ cycle_number }) => String(cycle_number)}
        />
        {data && data.length > PAGE_ROWS && (
          <Pager page={page} pageRows={PAGE_ROWS} total={data.length} onChange={setPage} />
        )}
      </QueryState>
    </Panel>
  );
}

/** The unit price and its drawdown, from 1.0000 on, which it was before the first result. */
function PriceChart({ results }: { results: readonly PoolCycleResult[] }) {
  const series = results
    .flatMap(({ valued_at, unit_price, drawdown }) =>
      valued_at === null ? [] : { day: valued_at.slice(0, 10), equity: unit_price, drawdown },
    )
    .reverse();
  const [first] = series;
  // The table below has fewer points already.
  if (!first || series.length + 1 < FEWEST_POINTS) return null;
  return (
    <div className="border-b border-line px-4 pb-2">
      <Suspense fallback={<div aria-hidden="true" className="skeleton mt-3 h-50" />}>
        <DrawdownChart
          series={[{ ...first, equity: '1', drawdown: '0' }, ...series]}
          name="Unit price"
          format={(value) => price(value)}
          formatTick={price}
        />
      </Suspense>
    </div>
  );
}

const points = numberFormat({ maximumFractionDigits: 2, roundingMode: 'floor' });

/** How far the pool is from its circuit breaker. */
function Breaker({ drawdown, limit }: { drawdown: string; limit: string }) {
  if (isBreakerTripped(drawdown, limit))
    return (
      <span className="font-medium text-negative">
        Circuit breaker at -<Percentage value={limit} /> reached
      </span>
    );
  const distance = breakerDistance(drawdown, limit);
  return (
    <span title={`${distance} points`}>
      Circuit breaker at -<Percentage value={limit} />: {points(distance)} points away
    </span>
  );
}
