import { type DrawdownPoint, formatDate, formatSignedPercent, formatUsd } from '@copydesk/domain';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useMedia } from '../../../../ui/layout/use-media.ts';

/** Otherwise a drawdown below one percent would be a second zero on its axis. */
const percent = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });
const compactUsd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const AXIS = { fontSize: 11, fill: 'var(--muted)' };
const AXIS_PX = 48;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };
const SYNC = 'equity';

interface TooltipEntry {
  payload?: DrawdownPoint;
}

function PointTooltip({ payload }: { payload?: readonly TooltipEntry[] }) {
  const point = payload?.[0]?.payload;
  if (!point) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(point.day)}</p>
      <p className="font-semibold">{formatUsd(point.equity)}</p>
      <p>Drawdown {formatSignedPercent(point.drawdown)}</p>
    </div>
  );
}

/** Two charts over one axis of days. The figures become floats only here, to compute pixels. */
export default function EquityChart({ series }: { series: readonly DrawdownPoint[] }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const motion = { isAnimationActive: !isStill, animationDuration: 300 };
  const data = [...series];
  const last = series.at(-1);
  return (
    <div
      role="img"
      aria-label={`Equity from ${formatDate(series[0]?.day)} to ${formatDate(last?.day)}, last ${formatUsd(last?.equity)}`}
      className="mt-3"
    >
      <ResponsiveContainer width="100%" height={152}>
        <AreaChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis dataKey="day" hide />
          <YAxis
            width={AXIS_PX}
            domain={['auto', 'auto']}
            tickFormatter={(value: number) => compactUsd.format(value)}
            tick={AXIS}
            tickLine={false}
            axisLine={false}
            tickCount={4}
          />
          <Tooltip content={<PointTooltip />} cursor={{ stroke: 'var(--line-strong)' }} />
          <Area
            dataKey={(point: DrawdownPoint) => Number(point.equity)}
            type="linear"
            stroke="var(--accent)"
            strokeWidth={1.5}
            fill="var(--accent-soft)"
            baseValue="dataMin"
            {...motion}
          />
        </AreaChart>
      </ResponsiveContainer>
      <ResponsiveContainer width="100%" height={72}>
        <AreaChart data={data} syncId={SYNC} margin={MARGIN} accessibilityLayer={false}>
          <XAxis
            dataKey="day"
            tickFormatter={(day: string) => shortDay.format(new Date(day))}
            tick={AXIS}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={40}
            height={20}
          />
          <YAxis
            width={AXIS_PX}
            domain={['auto', 0]}
            tickFormatter={(value: number) => `${percent.format(value)}%`}
            tick={AXIS}
            tickLine={false}
            axisLine={false}
            tickCount={2}
          />
          <Tooltip content={() => null} cursor={{ stroke: 'var(--line-strong)' }} />
          <Area
            dataKey={(point: DrawdownPoint) => Number(point.drawdown)}
            type="linear"
            stroke="var(--negative)"
            strokeWidth={1.5}
            fill="var(--negative-soft)"
            baseValue={0}
            {...motion}
          />
        </AreaChart>
      </ResponsiveContainer>
    </div>
  );
}
