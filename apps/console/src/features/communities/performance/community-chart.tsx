import { formatDate, formatUsd } from '@copydesk/domain';
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useMedia } from '../../../ui/use-media.ts';
import type { CommunityDay } from './days-query.ts';

const compactUsd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const AXIS = { fontSize: 11, fill: 'var(--muted)' };
const AXIS_PX = 52;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };
const SYNC = 'community';
const yAxis = {
  width: AXIS_PX,
  tickFormatter: (value: number) => compactUsd.format(value),
  tick: AXIS,
  tickLine: false,
  axisLine: false,
} as const;

interface TooltipEntry {
  payload?: CommunityDay;
}

function DayTooltip({ payload }: { payload?: readonly TooltipEntry[] }) {
  const day = payload?.[0]?.payload;
  if (!day) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(day.day)}</p>
      <p className="font-semibold">AUM {formatUsd(day.aum)}</p>
      <p>Received {formatUsd(day.received)}</p>
    </div>
  );
}

/** Two pictures over one axis of days. The figures become floats here, where only pixels are made of them. */
export default function CommunityChart({ days }: { days: readonly CommunityDay[] }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const motion = { isAnimationActive: !isStill, animationDuration: 300 };
  const data = [...days];
  return (
    <div
      role="img"
      aria-label={`AUM and money received from ${formatDate(days[0]?.day)} to ${formatDate(days.at(-1)?.day)}`}
      className="mt-3"
    >
      <ResponsiveContainer width="100%" height={168}>
        <AreaChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" hide />
          <YAxis {...yAxis} domain={['auto', 'auto']} tickCount={4} />
          <Tooltip content={<DayTooltip />} cursor={{ stroke: 'var(--line-strong)' }} />
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
      <ResponsiveContainer width="100%" height={96}>
        <BarChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="day"
            tickFormatter={(day: string) => shortDay.format(new Date(day))}
            tick={AXIS}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={40}
            height={20}
          />
          <YAxis {...yAxis} tickCount={3} />
          <Tooltip content={() => null} cursor={{ fill: 'var(--subtle)' }} />
          <Bar dataKey={(day: CommunityDay) => Number(day.received)} fill="var(--positive)" {...motion} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
