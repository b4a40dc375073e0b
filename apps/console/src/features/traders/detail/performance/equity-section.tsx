import type { TraderEvent } from '@copydesk/contract/traders';
import { sumDecimals } from '@copydesk/domain/money';
import {
  type DrawdownPoint,
  deepestDrawdown,
  drawdownSeries,
  type EquityPoint,
  signOf,
} from '@copydesk/domain/trading';
import { clsx } from 'clsx';
import { lazy, Suspense, useMemo } from 'react';
import { formatPnl } from '../../../../lib/format/figures.ts';
import { formatUsd, numberFormat } from '../../../../lib/format/numbers.ts';
import { formatDate } from '../../../../lib/format/read-time.ts';
import { FEWEST_POINTS } from '../../../../ui/figures/charts/chart-axis.ts';
import { DaysTable } from '../../../../ui/figures/charts/days-table.tsx';
import { Facts, StackedFact } from '../../../../ui/figures/fact.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { Percentage } from '../../../../ui/figures/percentage.tsx';
import { SignedFigure } from '../../../../ui/figures/signed-figure.tsx';
import { columnsOf, factsOf, KINDS, withEvents } from './equity-events.tsx';

const DrawdownChart = lazy(() => import('../../../../ui/figures/charts/drawdown-chart.tsx'));

const compactUsd = numberFormat({
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

function Summary({ first, last, deepest }: Record<'first' | 'last' | 'deepest', DrawdownPoint>) {
  const change = sumDecimals([last.equity, `-${first.equity}`]);
  return (
    <Facts className="grid grid-cols-3 gap-3">
      <StackedFact size="medium" label="Equity" note={formatDate(last.day)}>
        <Money amount={last.equity} as="equityCents" />
      </StackedFact>
      <StackedFact size="medium" label="Change since" note={formatDate(first.day)}>
        <SignedFigure text={formatPnl(change)} sign={signOf(change)} />
      </StackedFact>
      <StackedFact
        size="medium"
        label="Deepest drawdown"
        note={signOf(deepest.drawdown) === 0 ? 'none' : formatDate(deepest.day)}
      >
        <Percentage isSigned value={deepest.drawdown} />
      </StackedFact>
    </Facts>
  );
}

interface EquitySectionProps {
  traderId: string;
  points: readonly EquityPoint[];
  events: readonly TraderEvent[];
  isStale: boolean;
}

/** The equity curve: figures, a chart, and a table as its accessible form. */
export function EquitySection({ traderId, points, events, isStale }: EquitySectionProps) {
  const series = useMemo(() => drawdownSeries(points), [points]);
  const facts = useMemo(() => factsOf(series, events), [series, events]);
  const [first, last, deepest] = [series[0], series.at(-1), deepestDrawdown(series)];
  return (
    <section
      aria-label="Equity curve"
      className={clsx('flex min-w-0 flex-col transition-opacity', isStale && 'opacity-55')}
    >
      <h3 className="mb-1.5 font-medium">Equity and drawdown</h3>
      {first && last && deepest ? (
        <>
          <Summary first={first} last={last} deepest={deepest} />
          {series.length >= FEWEST_POINTS && (
            <Suspense fallback={<div aria-hidden="true" className="skeleton mt-3 h-50" />}>
              <DrawdownChart
                series={series}
                name="Equity"
                format={formatUsd}
                formatTick={compactUsd}
                facts={facts}
                kinds={KINDS}
              />
            </Suspense>
          )}
          <p className="mt-1 text-xs text-muted">
            At the end of each day, UTC. A deposit raises equity and a withdrawal lowers it, as results do.
          </p>
          <DaysTable
            // Another range may have enough days for the chart.
            key={String(series.length < FEWEST_POINTS)}
            label="Equity by day"
            days={withEvents(series, events)}
            columns={columnsOf(traderId, events)}
            isOpen={series.length < FEWEST_POINTS}
          />
        </>
      ) : (
        <p className="flex min-h-40 flex-1 items-center justify-center rounded-md bg-subtle text-muted">
          No equity recorded in this range
        </p>
      )}
    </section>
  );
}
