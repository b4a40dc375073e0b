import { signOf } from '@copydesk/domain/trading';
import { clsx } from 'clsx';
import {
  Area,
  Bar,
  BarChart,
  CartesianGrid,
  ComposedChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { formatDate } from '../../../lib/format/read-time.ts';
import { AxisBreak } from '../../../ui/figures/charts/axis-break.tsx';
import {
  AXIS_TEXT,
  dayAxis,
  FEWEST_POINTS,
  LOWER_PX,
  UPPER_PX,
  valueAxis,
} from '../../../ui/figures/charts/chart-axis.ts';
import {
  ChartMarkers,
  type FactKind,
  LANE_PX,
  type MarkedFact,
  MarkerLegend,
} from '../../../ui/figures/charts/chart-markers.tsx';
import { WIDEST_BAR_PX } from '../../../ui/figures/charts/widest-bar.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { useMedia } from '../../../ui/layout/use-media.ts';
import { type CommunityDay, hasPools } from './days-query.ts';

const compactUsd = numberFormat({
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** The series above and below the axis of the lower chart. */
const MONEY = {
  received: { label: 'Received', color: 'var(--positive)' },
  paid_out: { label: 'Paid out', color: 'var(--caution)' },
} as const;
const SIDES = ['received', 'paid_out'] as const;
/** The parts of the AUM, from the bottom. Without pools it has no parts to tell apart. */
const PARTS = {
  accounts: { label: 'Own accounts', color: 'var(--accent)' },
  pools: { label: 'In pools', color: 'var(--series-2)' },
} as const;
type Part = keyof typeof PARTS;
const partOf = (part: Part, { aum, pool_capital }: CommunityDay) =>
  aum === null ? null : part === 'pools' ? Number(pool_capital) : Number(aum) - Number(pool_capital);

const KINDS = {
  split: {
    name: ['change of the split', 'changes of the split'],
    color: 'var(--series-3)',
    shape: 'triangle',
  },
} as const satisfies Record<string, FactKind>;

const AXIS_PX = 52;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };
const SYNC = 'community';
const yAxis = {
  width: AXIS_PX,
  tickFormatter: (value: number) => compactUsd(value),
  tick: AXIS_TEXT,
  tickLine: false,
  axisLine: false,
} as const;

interface TooltipEntry {
  payload?: CommunityDay;
}

const Mark = ({ color }: { color: string }) => (
  <span aria-hidden="true" className="size-2 rounded-xs" style={{ backgroundColor: color }} />
);

function DayTooltip({ payload }: { payload?: readonly TooltipEntry[] }) {
  const day = payload?.[0]?.payload;
  if (!day) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(day.day)}</p>
      <p className="font-semibold">
        AUM <Money amount={day.aum} as="equityCents" />
      </p>
      {day.aum !== null && signOf(day.pool_capital) > 0 && (
        <p className="flex items-center gap-1.5">
          <Mark color={PARTS.pools.color} />
          {PARTS.pools.label} <Money amount={day.pool_capital} as="equityCents" />
        </p>
      )}
      {SIDES.map((side) => (
        <p key={side} className="flex items-center gap-1.5">
          <Mark color={MONEY[side].color} />
          {MONEY[side].label} <Money amount={day[side]} as="usd" />
        </p>
      ))}
    </div>
  );
}

function Legend({ of, className }: { of: readonly { label: string; color: string }[]; className: string }) {
  return (
    <div className={clsx('flex h-4 items-center justify-end gap-4 text-xs text-muted', className)}>
      {of.map(({ label, color }) => (
        <span key={label} className="flex items-center gap-1.5">
          <Mark color={color} />
          {label}
        </span>
      ))}
    </div>
  );
}

interface CommunityChartProps {
  days: readonly CommunityDay[];
  /** Changes of the split. */
  facts: readonly MarkedFact<'split'>[];
}

/** Two charts over one axis of days. The figures become floats only here, to compute pixels. */
export default function CommunityChart({ days, facts }: CommunityChartProps) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const motion = { isAnimationActive: !isStill, animationDuration: 300 };
  const data = [...days];
  const recorded = days.flatMap(({ aum }) => (aum === null ? [] : [Number(aum)]));
  const isFew = recorded.length < FEWEST_POINTS;
  const parts: readonly Part[] = hasPools(days) ? ['accounts', 'pools'] : ['accounts'];
  // Bars and parts compare by their height, so the axis starts at zero.
  const axis = valueAxis(isFew || parts.length > 1 ? [0, ...recorded] : recorded, compactUsd);
  const money = valueAxis(
    days.flatMap(({ received, paid_out }) => [Number(received), -Number(paid_out)]),
    compactUsd,
  );
  return (
    <div className="mt-3">
      <ChartMarkers
        facts={facts}
        kinds={KINDS}
        points={days.length}
        isBanded={isFew}
        startPx={AXIS_PX + MARGIN.left}
        endPx={MARGIN.right}
      />
      <div
        role="img"
        aria-label={`AUM and money in and out from ${formatDate(days[0]?.day)} to ${formatDate(days.at(-1)?.day)}`}
      >
        {parts.length > 1 && <Legend of={parts.map((part) => PARTS[part])} className="mb-1" />}
        {recorded.length > 0 ? (
          <ResponsiveContainer width="100%" height={facts.length > 0 ? UPPER_PX - LANE_PX : UPPER_PX}>
            <ComposedChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
              <CartesianGrid vertical={false} stroke="var(--line)" />
              <XAxis dataKey="day" hide />
              <YAxis {...yAxis} domain={axis.domain} ticks={axis.ticks} minTickGap={0} />
              {/* A day without AUM still has money in and out. */}
              <Tooltip
                content={<DayTooltip />}
                cursor={{ stroke: 'var(--line-strong)' }}
                filterNull={false}
              />
              {parts.map((part) =>
                isFew ? (
                  <Bar
                    key={part}
                    stackId="aum"
                    dataKey={(day: CommunityDay) => partOf(part, day)}
                    maxBarSize={WIDEST_BAR_PX}
                    fill={PARTS[part].color}
                    {...motion}
                  />
                ) : (
                  <Area
                    key={part}
                    stackId="aum"
                    dataKey={(day: CommunityDay) => partOf(part, day)}
                    type="linear"
                    stroke={PARTS[part].color}
                    strokeWidth={1.5}
                    fill={PARTS[part].color}
                    fillOpacity={0.15}
                    baseValue={axis.domain[0]}
                    {...motion}
                  />
                ),
              )}
            </ComposedChart>
          </ResponsiveContainer>
        ) : (
          // As high as the chart.
          <p className="flex h-32 items-center justify-center rounded-md bg-subtle text-muted">
            No AUM recorded in this range
          </p>
        )}
        {axis.isBroken && <AxisBreak from={compactUsd(axis.domain[0])} />}
        <Legend of={SIDES.map((side) => MONEY[side])} className="mt-2 mb-1" />
        <ResponsiveContainer width="100%" height={LOWER_PX}>
          <BarChart data={data} syncId={SYNC} margin={MARGIN} stackOffset="sign" accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis {...dayAxis(days)} />
            <YAxis
              {...yAxis}
              domain={money.domain}
              ticks={money.ticks.filter((one, at, all) => one === 0 || at === 0 || at === all.length - 1)}
            />
            <Tooltip content={() => null} cursor={{ fill: 'var(--subtle)' }} />
            <ReferenceLine y={0} stroke="var(--line-strong)" />
            <Bar
              stackId="money"
              maxBarSize={WIDEST_BAR_PX}
              dataKey={(day: CommunityDay) => Number(day.received)}
              fill={MONEY.received.color}
              {...motion}
            />
            <Bar
              stackId="money"
              maxBarSize={WIDEST_BAR_PX}
              dataKey={(day: CommunityDay) => -Number(day.paid_out)}
              fill={MONEY.paid_out.color}
              {...motion}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <MarkerLegend facts={facts} kinds={KINDS} className="mt-1" />
    </div>
  );
}
