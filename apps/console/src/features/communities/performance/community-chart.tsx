import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { formatDate, shortDay } from '../../../lib/format/read-time.ts';
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

const AXIS = { fontSize: 11, fill: 'var(--muted)' };
const AXIS_PX = 52;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };
const SYNC = 'community';
const yAxis = {
  width: AXIS_PX,
  // Money out goes down from the axis, and its label has no minus sign.
  tickFormatter: (value: number) => compactUsd(Math.abs(value)),
  tick: AXIS,
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
  const hasAum = days.some(({ aum }) => aum !== null);
  return (
    <div
      role="img"
      aria-label={`AUM and money in and out from ${formatDate(days[0]?.day)} to ${formatDate(days.at(-1)?.day)}`}
      className="mt-3"
    >
      {hasAum ? (
        <ResponsiveContainer width="100%" height={168}>
          <AreaChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="day" hide />
            <YAxis {...yAxis} domain={['auto', 'auto']} tickCount={4} />
            {/* A day without AUM still has money in and out. */}
            <Tooltip content={<DayTooltip />} cursor={{ stroke: 'var(--line-strong)' }} filterNull={false} />
            <Area
              dataKey={(day: CommunityDay) => (day.aum === null ? null : Number(day.aum))}
              type="linear"
              stroke="var(--accent)"
              strokeWidth={1.5}
              fill="var(--accent-soft)"
              baseValue="dataMin"
              {...motion}
            />
          </AreaChart>
        </ResponsiveContainer>
      ) : (
        // As high as the chart.
        <p className="flex h-42 items-center justify-center rounded-md bg-subtle text-muted">
          No AUM recorded in this range
        </p>
      )}
      <Legend />
      <ResponsiveContainer width="100%" height={128}>
        <BarChart data={data} syncId={SYNC} margin={MARGIN} stackOffset="sign" accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tickFormatter={(day: string) => shortDay(day)}
            tick={AXIS}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={40}
            height={20}
          />
          <YAxis {...yAxis} tickCount={3} />
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
