import { breakerDistance, isBreakerTripped } from '@copydesk/domain/pools';
import { useQuery } from '@tanstack/react-query';
import ChartLine from 'lucide-react/icons/chart-line';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount, numberFormat } from '../../../lib/format/numbers.ts';
import { useLastPage } from '../../../lib/list/use-last-page.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Percentage } from '../../../ui/figures/percentage.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import {
  type PoolCycleResult,
  type PoolEvent,
  type PooledAccount,
  poolResultsQuery,
} from '../pools-queries.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import { Flows, PriceChart, price } from './price-chart.tsx';

const NO_EVENTS: readonly PoolEvent[] = [];
const PAGE_ROWS = 12;
const EXPECTED = 3;

function resultColumns(
  isSuper: boolean,
  events: readonly PoolEvent[],
): readonly PlainColumn<PoolCycleResult>[] {
  const amounts: PlainColumn<PoolCycleResult>[] = [
    {
      id: 'opening',
      header: 'Traded (USDT)',
      width: '15%',
      align: 'end',
      onCard: 'line',
      cell: ({ opening }) => (opening === null ? null : <Money amount={opening} as="bare" />),
    },
    {
      id: 'result',
      header: 'Result (USDT)',
      width: '15%',
      align: 'end',
      onCard: 'line',
      cell: ({ result }) => (result === null ? null : <Money as="bare" isSigned amount={result} />),
    },
  ];
  return [
    {
      id: 'cycle',
      header: 'Cycle',
      width: '9%',
      onCard: 'lead',
      cell: ({ cycle_number }) => `Cycle ${formatCount(cycle_number)}`,
    },
    {
      id: 'valued',
      header: 'Valued',
      width: '13%',
      onCard: 'end',
      cell: ({ valued_at }) =>
        valued_at ? <When at={valued_at} as="day" /> : <span className="text-muted">–</span>,
    },
    ...(isSuper ? amounts : []),
    {
      id: 'return',
      header: 'Return',
      width: '10%',
      align: 'end',
      cell: ({ return_percentage }) => <Percentage isSigned value={return_percentage} />,
    },
    {
      id: 'price',
      header: 'Unit price',
      width: '11%',
      align: 'end',
      cell: ({ unit_price }) => <span title={unit_price}>{price(unit_price)}</span>,
    },
    {
      id: 'drawdown',
      header: 'Drawdown',
      width: '10%',
      align: 'end',
      cell: ({ drawdown }) => <Percentage isSigned value={drawdown} />,
    },
    {
      id: 'flows',
      header: isSuper ? 'In and out after (USDT)' : 'Your traders in and out (USDT)',
      width: '17%',
      align: 'end',
      onCard: 'line',
      cell: ({ cycle_number }) => (
        <Flows of={events.filter((event) => event.cycle_number === cycle_number)} />
      ),
    },
  ];
}

/** The results of a pool by cycle, with the unit price that follows from them. */
export function ResultsPanel({ pool, isSuper }: { pool: PooledAccount; isSuper: boolean }) {
  const [page, setPage] = useState(1);
  const { data: answer, error, refetch } = useQuery(poolResultsQuery(pool));
  const data = answer?.data;
  const events = answer?.meta.events ?? NO_EVENTS;
  useLastPage({ page, rows: PAGE_ROWS, total: data?.length }, setPage);
  const columns = useMemo(() => resultColumns(isSuper, events), [isSuper, events]);
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
        <PriceChart results={data ?? []} events={events} isSuper={isSuper} />
        <PlainTable
          label="Results by cycle, newest first"
          columns={columns}
          rows={(data ?? []).slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)}
          keyOf={({ cycle_number }) => String(cycle_number)}
        />
        {data && data.length > PAGE_ROWS && (
          <Pager
            label="Pages of results"
            page={page}
            pageRows={PAGE_ROWS}
            total={data.length}
            onChange={setPage}
          />
        )}
      </QueryState>
    </Panel>
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
