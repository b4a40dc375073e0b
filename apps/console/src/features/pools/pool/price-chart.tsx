import { lazy, Suspense } from 'react';
import { formatCount, numberFormat } from '../../../lib/format/numbers.ts';
import { FEWEST_POINTS } from '../../../ui/figures/charts/chart-axis.ts';
import { type FactKind, factWords } from '../../../ui/figures/charts/chart-markers.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import type { PoolCycleResult, PoolEvent } from '../pools-queries.ts';

const DrawdownChart = lazy(() => import('../../../ui/figures/charts/drawdown-chart.tsx'));

/** A unit price: `1.0000`. */
export const price = numberFormat({ minimumFractionDigits: 4, maximumFractionDigits: 4 });

const KINDS = {
  deposit: { name: ['deposit', 'deposits'], color: 'var(--positive)', shape: 'triangle' },
  withdrawal: { name: ['withdrawal', 'withdrawals'], color: 'var(--caution)', shape: 'down' },
} as const satisfies Record<PoolEvent['kind'], FactKind>;

/** What members brought, and what they took. */
export const Flows = ({ of }: { of: readonly PoolEvent[] }) =>
  of.map(({ kind, count, amount }) => (
    <span key={kind} className="block" title={factWords(count, KINDS[kind])}>
      {kind === 'deposit' && '+'}
      <Money amount={kind === 'deposit' ? amount : `-${amount}`} as="bare" />
    </span>
  ));

interface PriceChartProps {
  results: readonly PoolCycleResult[];
  events: readonly PoolEvent[];
  isSuper: boolean;
}

/** The unit price and its drawdown, from 1.0000 on, which it was before the first result. */
export function PriceChart({ results, events, isSuper }: PriceChartProps) {
  const series = results
    .flatMap(({ cycle_number, valued_at, unit_price, drawdown }) =>
      valued_at === null ? [] : { cycle_number, day: valued_at.slice(0, 10), equity: unit_price, drawdown },
    )
    .reverse();
  const [first] = series;
  // The table below has fewer points already.
  if (!first || series.length + 1 < FEWEST_POINTS) return null;
  const facts = events.map(({ cycle_number, kind, count, amount }) => {
    // Money that came in before the first result is marked where the line begins.
    const place = series.findLastIndex((one) => one.cycle_number <= cycle_number) + 1;
    const day = place === 0 ? 'Before the first result' : `After cycle ${formatCount(cycle_number)}`;
    return { kind, count, place, day, text: <Money amount={amount} /> };
  });
  const early = facts.filter(({ place }) => place === 0);
  return (
    <div className="border-b border-line px-4 pb-2">
      <Suspense fallback={<div aria-hidden="true" className="skeleton mt-3 h-50" />}>
        <DrawdownChart
          series={[{ ...first, equity: '1', drawdown: '0' }, ...series]}
          name="Unit price"
          format={(value) => price(value)}
          formatTick={price}
          facts={facts}
          kinds={KINDS}
        />
      </Suspense>
      <p className="mt-1 text-xs text-muted">
        Time-weighted: each cycle multiplies the price by its result over the capital that traded in it.
        Deposits and withdrawals{isSuper ? '' : ', of which those of your traders are marked,'} come between
        cycles and do not move it.
        {early.map(({ kind, count, text }) => (
          <span key={kind}>
            {' '}
            Before the first result: {factWords(count, KINDS[kind])}, {text}.
          </span>
        ))}
      </p>
    </div>
  );
}
