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
import { formatDate, shortDay } from '../../../lib/format/read-time.ts';
import { AxisBreak } from '../../../ui/figures/axis-break.tsx';
import {
  AXIS_TEXT,
  dayTicks,
  FEWEST_POINTS,
  LOWER_PX,
  UPPER_PX,
  valueAxis,
} from '../../../ui/figures/chart-axis.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { WIDEST_BAR_PX } from '../../../ui/figures/widest-bar.ts';
import { useMedia } from '../../../ui/layout/use-media.ts';
import type { CommunityDay } from './days-query.ts';

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

function Mark({ side }: { side: keyof typeof MONEY }) {
  return (
    <span aria-hidden="true" className="size-2 rounded-xs" style={{ backgroundColor: MONEY[side].color }} />
  );
}

function DayTooltip({ payload }: { payload?: readonly TooltipEntry[] }) {
  const day = payload?.[0]?.payload;
  if (!day) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(day.day)}</p>
      <p className="font-semibold">
        AUM <Money amount={day.aum} as="equityCents" />
      </p>
      {SIDES.map((side) => (
        <p key={side} className="flex items-center gap-1.5">
          <Mark side={side} />
          {MONEY[side].label} <Money amount={day[side]} as="usd" />
        </p>
      ))}
    </div>
  );
}

function Legend() {
  return (
    <div className="mt-2 mb-1 flex h-4 items-center justify-end gap-4 text-xs text-muted">
      {SIDES.map((side) => (
        <span key={side} className="flex items-center gap-1.5">
          <Mark side={side} />
          {MONEY[side].label}
        </span>
      ))}
    </div>
  );
}

/** Two charts over one axis of days. The figures become floats only here, to compute pixels. */
export default function CommunityChart({ days }: { days: readonly CommunityDay[] }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const motion = { isAnimationActive: !isStill, animationDuration: 300 };
  const data = [...days];
  const recorded = days.flatMap(({ aum }) => (aum === null ? [] : [Number(aum)]));
  const isFew = recorded.length < FEWEST_POINTS;
  // Bars compare by their height: they stand on zero.
  const axis = valueAxis(isFew ? [0, ...recorded] : recorded, compactUsd);
  const money = valueAxis(
    days.flatMap(({ received, paid_out }) => [Number(received), -Number(paid_out)]),
    compactUsd,
  );
  const aumOf = (day: CommunityDay) => (day.aum === null ? null : Number(day.aum));
  return (
    <div
      role="img"
      aria-label={`AUM and money in and out from ${formatDate(days[0]?.day)} to ${formatDate(days.at(-1)?.day)}`}
      className="mt-3"
    >
      {recorded.length > 0 ? (
        <ResponsiveContainer width="100%" height={UPPER_PX}>
          <ComposedChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="day" hide />
            <YAxis {...yAxis} domain={axis.domain} ticks={axis.ticks} />
            {/* A day without AUM still has money in and out. */}
            <Tooltip content={<DayTooltip />} cursor={{ stroke: 'var(--line-strong)' }} filterNull={false} />
            {isFew ? (
              <Bar dataKey={aumOf} maxBarSize={WIDEST_BAR_PX} fill="var(--accent)" {...motion} />
            ) : (
              <Area
                dataKey={aumOf}
                type="linear"
                stroke="var(--accent)"
                strokeWidth={1.5}
                fill="var(--accent-soft)"
                baseValue={axis.domain[0]}
                {...motion}
              />
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
      <Legend />
      <ResponsiveContainer width="100%" height={LOWER_PX}>
        <BarChart data={data} syncId={SYNC} margin={MARGIN} stackOffset="sign" accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tickFormatter={(day: string) => shortDay(day)}
            tick={AXIS_TEXT}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            ticks={dayTicks(days)}
            minTickGap={24}
            height={20}
          />
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
  );
}
