import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo } from 'react';
import { messageOf } from '../../../lib/api-error.ts';
import { RANGE_LABELS, RANGES, type Range, rangeDays } from '../../../lib/range-days.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { DaysTable } from '../../../ui/figures/days-table.tsx';
import { SegmentedChoice } from '../../../ui/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { DAY_COLUMNS } from './day-columns.ts';
import { DaysFigures } from './days-figures.tsx';
import { daysQuery } from './days-query.ts';
import { withoutGaps } from './without-gaps.ts';

const CommunityChart = lazy(() => import('./community-chart.tsx'));
export const DEFAULT_RANGE: Range = '90d';

interface CommunityPerformancePanelProps {
  communityId: string;
  range: Range;
  onRange(range: Range | undefined): void;
}

/** AUM and money in and out over a range of days: figures, a chart and a table. */
export function CommunityPerformancePanel({ communityId, range, onRange }: CommunityPerformancePanelProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    daysQuery(communityId, rangeDays(range, new Date())),
  );
  const days = useMemo(() => withoutGaps(data ?? []), [data]);
  return (
    <Panel
      title="AUM and Money In and Out"
      actions={
        <SegmentedChoice
          label="Range"
          options={RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
          value={range}
          onChange={(chosen) => onRange(chosen === DEFAULT_RANGE ? undefined : chosen)}
        />
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The figures could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<div aria-hidden="true" className="skeleton h-108" />}
        isEmpty={days.length === 0}
        empty={
          <p className="flex min-h-40 items-center justify-center rounded-md bg-subtle text-muted">
            Nothing recorded in this range
          </p>
        }
      >
        <div className={clsx('transition-opacity', isPlaceholderData && 'opacity-55')}>
          <DaysFigures days={days} />
          <Suspense fallback={<div aria-hidden="true" className="skeleton mt-3 h-81" />}>
            <CommunityChart days={days} />
          </Suspense>
          <p className="mt-1 text-xs text-muted">
            AUM at the end of each day (UTC), today as of now: exchange accounts and pool capital. Deposits
            and withdrawals change it as results do. Below: what was paid on invoices and what was paid out
            that day.
          </p>
          <DaysTable label="AUM and money in and out by day" days={days} columns={DAY_COLUMNS} />
        </div>
      </QueryState>
    </Panel>
  );
}
