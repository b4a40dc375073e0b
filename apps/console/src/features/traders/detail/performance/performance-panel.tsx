import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { type Days, RANGE_LABELS, RANGES, type Range, rangeDays } from '../../../../lib/url/range-days.ts';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { SegmentedChoice } from '../../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';
import { tradersKeys } from '../../traders-queries.ts';
import type { DetailSearch } from '../detail-search.ts';
import { EquitySection } from './equity-section.tsx';
import { PnlCalendar } from './pnl-calendar.tsx';

export const DEFAULT_RANGE: Range = '90d';

interface PerformancePanelProps {
  traderId: string;
  range: Range;
  month: string | undefined;
  onChange(change: DetailSearch): void;
}

/** Equity and realised PnL over a range of days. */
export function PerformancePanel({ traderId, range, month, onChange }: PerformancePanelProps) {
  const days = rangeDays(range, new Date());
  const equity = useQuery(equityQuery(traderId, days));
  const pnl = useQuery(pnlDaysQuery(traderId, days));
  const setRange = (chosen: Range) =>
    onChange({ range: chosen === DEFAULT_RANGE ? undefined : chosen, month: undefined });
  return (
    <Panel
      title="Performance"
      actions={
        <SegmentedChoice
          label="Range"
          options={RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
          value={range}
          onChange={setRange}
        />
      }
    >
      <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
        <QueryState
          small
          error={problem('The equity could not be loaded', equity.error, equity.data)}
          onRetry={() => void equity.refetch()}
          isLoading={!equity.data}
          loading={<div aria-hidden="true" className="skeleton h-81" />}
          isEmpty={false}
          empty={null}
        >
          <EquitySection
            traderId={traderId}
            points={equity.data?.data ?? []}
            events={equity.data?.meta.events ?? []}
            isStale={equity.isPlaceholderData}
          />
        </QueryState>
        <QueryState
          small
          error={problem('The PnL calendar could not be loaded', pnl.error, pnl.data)}
          onRetry={() => void pnl.refetch()}
          isLoading={!pnl.data}
          loading={<div aria-hidden="true" className="skeleton h-81" />}
          isEmpty={false}
          empty={null}
        >
          <PnlCalendar
            days={pnl.data ?? []}
            range={days}
            month={month}
            onMonth={(chosen) => onChange({ month: chosen })}
          />
        </QueryState>
      </div>
    </Panel>
  );
}

const problem = (title: string, error: unknown, data: unknown) =>
  error && !data ? { title, message: messageOf(error) } : null;

/** Equity at the end of each day, with the invoices and payments of these days. */
const equityQuery = (traderId: string, days: Days) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'equity', days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('GET /api/traders/{id}/equity', { params: { id: traderId }, query: { ...days }, signal }),
  });

/** Realised PnL by day. */
const pnlDaysQuery = (traderId: string, days: Days) =>
  queryOptions({
    queryKey: [...tradersKeys.detail(traderId), 'pnl-days', days],
    staleTime: 30_000,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('GET /api/traders/{id}/pnl-days', { params: { id: traderId }, query: { ...days }, signal }))
        .data,
  });
