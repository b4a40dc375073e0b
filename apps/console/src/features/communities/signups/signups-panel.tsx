import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { RANGE_LABELS, RANGES, type Range, rangeDays } from '../../../lib/url/range-days.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { DaysTable } from '../../../ui/figures/charts/days-table.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { SegmentedChoice } from '../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { SOURCE_WORDS, sourceTotals, withEmptyDays } from './signup-sources.ts';
import { signupsQuery } from './signups-query.ts';

const SignupsChart = lazy(() => import('./signups-chart.tsx'));

/** Traders who joined a community, by day and by how they came. */
export function SignupsPanel({ communityId }: { communityId: string }) {
  const [range, setRange] = useState<Range>('90d');
  const { from, to } = rangeDays(range, new Date());
  const { data, error, refetch, isPlaceholderData } = useQuery(signupsQuery(communityId, { from, to }));
  const totals = useMemo(() => sourceTotals(data ?? []), [data]);
  const days = useMemo(() => withEmptyDays(data ?? [], { from, to }), [data, from, to]);
  const traders = totals.reduce((sum, of) => sum + of.traders, 0);
  return (
    <Panel
      title="Sign-ups"
      count={data && traders}
      actions={
        <SegmentedChoice
          label="Range of sign-ups"
          options={RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
          value={range}
          onChange={(chosen) => setRange(chosen)}
        />
      }
    >
      <QueryState
        small
        error={
          error && !data ? { title: 'The sign-ups could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<div aria-hidden="true" className="skeleton h-48" />}
        isEmpty={days.length === 0}
        empty={
          <p className="flex min-h-24 items-center justify-center rounded-md bg-subtle text-muted">
            No sign-ups in this range
          </p>
        }
      >
        <div className={clsx('transition-opacity', isPlaceholderData && 'opacity-55')}>
          <ul aria-label="Sign-ups by source" className="mb-2 flex flex-wrap gap-x-5 gap-y-1 tabular-nums">
            {totals.map(({ source, traders: count }) => (
              <li key={source} className="flex items-center gap-1.5">
                <span
                  aria-hidden="true"
                  className="size-2 rounded-xs"
                  style={{ backgroundColor: SOURCE_WORDS[source].color }}
                />
                <span className="text-muted">{SOURCE_WORDS[source].label}</span>
                <span className="font-semibold">
                  <Count n={count} plain="No list has traders by source" />
                </span>
              </li>
            ))}
          </ul>
          <Suspense fallback={<div aria-hidden="true" className="skeleton h-50" />}>
            <SignupsChart days={days} sources={totals.map(({ source }) => source)} />
          </Suspense>
          <DaysTable
            label="Sign-ups by day"
            summary="By day"
            days={days.filter((day) => day.traders > 0)}
            columns={totals.map(({ source }) => ({
              header: SOURCE_WORDS[source].label,
              textOf: ({ sources }) => formatCount(sources[source]),
            }))}
          />
        </div>
      </QueryState>
    </Panel>
  );
}
