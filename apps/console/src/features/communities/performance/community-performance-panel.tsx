import type { SplitChange } from '@copydesk/contract/communities';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { percentWords } from '../../../lib/format/figures.ts';
import { formatUsd } from '../../../lib/format/numbers.ts';
import { formatDate } from '../../../lib/format/read-time.ts';
import { RANGE_LABELS, RANGES, type Range, rangeDays } from '../../../lib/url/range-days.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { placeOfDay } from '../../../ui/figures/charts/chart-facts.ts';
import type { MarkedFact } from '../../../ui/figures/charts/chart-markers.tsx';
import { DaysTable } from '../../../ui/figures/charts/days-table.tsx';
import { SegmentedChoice } from '../../../ui/form/filters/segmented-choice.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { DaysFigures } from './days-figures.tsx';
import { type CommunityDay, daysQuery, hasPools } from './days-query.ts';

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
  const days = useMemo(() => withoutGaps(data?.data ?? []), [data]);
  const facts = useMemo(() => factsOf(days, data?.meta.events ?? []), [days, data]);
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
        loading={<div aria-hidden="true" className="skeleton h-84" />}
        isEmpty={days.length === 0}
        empty={
          <p className="flex min-h-40 items-center justify-center rounded-md bg-subtle text-muted">
            Nothing recorded in this range
          </p>
        }
      >
        <div className={clsx('transition-opacity', isPlaceholderData && 'opacity-55')}>
          <DaysFigures days={days} />
          <Suspense fallback={<div aria-hidden="true" className="skeleton mt-3 h-57" />}>
            <CommunityChart days={days} facts={facts} />
          </Suspense>
          <p className="mt-1 text-xs text-muted">
            AUM at the end of each day (UTC), today as of now: exchange accounts and pool capital. Deposits
            and withdrawals change it as results do. Below: what was paid on invoices and what was paid out
            that day.
          </p>
          <DaysTable label="AUM and money in and out by day" days={days} columns={columnsOf(days, facts)} />
        </div>
      </QueryState>
    </Panel>
  );
}

/** What the table beside the chart shows of a day. */
const columnsOf = (days: readonly CommunityDay[], facts: readonly MarkedFact<'split'>[]) => [
  { header: 'AUM', textOf: ({ aum }: CommunityDay) => formatUsd(aum) },
  ...(hasPools(days) ? [POOLS_COLUMN] : []),
  { header: 'Received', textOf: ({ received }: CommunityDay) => formatUsd(received) },
  { header: 'Paid out', textOf: ({ paid_out }: CommunityDay) => formatUsd(paid_out) },
  ...(facts.length > 0
    ? [
        {
          header: 'Split',
          textOf: ({ day }: CommunityDay) =>
            facts
              .filter(({ place }) => days[place]?.day === day)
              .map(({ text }) => text)
              .join(', '),
        },
      ]
    : []),
];

/** Changes of the split along the days, oldest first: `Community 5% to 7%`. The answer has them newest first. */
function factsOf(days: readonly CommunityDay[], changes: readonly SplitChange[]): MarkedFact<'split'>[] {
  const shown = days.map(({ day }) => day);
  return changes.toReversed().flatMap(({ day, provider, before, after }) => {
    const place = placeOfDay(shown, day);
    const text = `${provider ?? 'Community'} ${percentWords(before)} to ${percentWords(after)}`;
    return place === null ? [] : [{ kind: 'split', count: 1, place, day: formatDate(day), text }];
  });
}

const POOLS_COLUMN = {
  header: 'Of it in pools',
  textOf: ({ aum, pool_capital }: CommunityDay) => formatUsd(aum && pool_capital),
};

const DAY_MS = 86_400_000;

/** Every day from the first to the last: a day without a record has no AUM, and no money in or out. */
export function withoutGaps(days: readonly CommunityDay[]): CommunityDay[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const known = new Map(days.map((day) => [day.day, day]));
  const startMs = Date.parse(first.day);
  const length = Math.round((Date.parse(last.day) - startMs) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(startMs + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, aum: null, pool_capital: '0', received: '0', paid_out: '0' };
  });
}
