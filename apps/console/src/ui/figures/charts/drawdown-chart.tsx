import type { DrawdownPoint } from '@copydesk/domain/trading';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { formatDate } from '../../../lib/format/read-time.ts';
import { useMedia } from '../../layout/use-media.ts';
import { Percentage } from '../percentage.tsx';
import { AxisBreak } from './axis-break.tsx';
import { AXIS_TEXT, dayAxis, LOWER_PX, UPPER_PX, valueAxis } from './chart-axis.ts';
import { ChartMarkers, type FactKind, LANE_PX, type MarkedFact, MarkerLegend } from './chart-markers.tsx';

/** Otherwise a drawdown below one percent would be a second zero on its axis. */
const percent = numberFormat({ maximumSignificantDigits: 2 });

const AXIS_PX = 48;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };

export interface DrawdownChartProps<K extends string> {
  series: readonly DrawdownPoint[];
  /** What is drawn above the drawdown: "Equity". */
  name: string;
  format(value: string): string;
  /** A value at the axis. */
  formatTick(value: number): string;
  /** What happened along the line. */
  facts: readonly MarkedFact<K>[];
  kinds: Readonly<Record<K, FactKind>>;
}

interface TooltipEntry {
  payload?: DrawdownPoint;
}

interface PointTooltipProps {
  format(value: string): string;
  payload?: readonly TooltipEntry[];
}

function PointTooltip({ format, payload }: PointTooltipProps) {
  const point = payload?.[0]?.payload;
  if (!point) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(point.day)}</p>
      <p className="font-semibold">{format(point.equity)}</p>
      <p>
        Drawdown <Percentage isSigned value={point.drawdown} />
      </p>
    </div>
  );
}

/** Two charts over one axis of days. The figures become floats only here, to compute pixels. */
export default function DrawdownChart<K extends string>({
  series,
  name,
  format,
  formatTick,
  facts,
  kinds,
}: DrawdownChartProps<K>) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const motion = { isAnimationActive: !isStill, animationDuration: 300 };
  const data = [...series];
  const axis = valueAxis(
    series.map(({ equity }) => Number(equity)),
    formatTick,
  );
  const last = series.at(-1);
  return (
    <div className="mt-3">
      <ChartMarkers
        facts={facts}
        kinds={kinds}
        points={series.length}
        startPx={AXIS_PX + MARGIN.left}
        endPx={MARGIN.right}
      />
      <div
        role="img"
        aria-label={`${name} from ${formatDate(series[0]?.day)} to ${formatDate(last?.day)}, last ${format(last?.equity ?? '')}`}
      >
        {/* Markers take their place from the chart: it is as high with them as without. */}
        <ResponsiveContainer width="100%" height={facts.length > 0 ? UPPER_PX - LANE_PX : UPPER_PX}>
          <AreaChart data={data} syncId={name} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="day" hide />
            <YAxis
              width={AXIS_PX}
              domain={axis.domain}
              ticks={axis.ticks}
              minTickGap={0}
              tickFormatter={formatTick}
              tick={AXIS_TEXT}
              tickLine={false}
              axisLine={false}
            />
            <Tooltip content={<PointTooltip format={format} />} cursor={{ stroke: 'var(--line-strong)' }} />
            <Area
              dataKey={(point: DrawdownPoint) => Number(point.equity)}
              type="linear"
              stroke="var(--accent)"
              strokeWidth={1.5}
              fill="var(--accent-soft)"
              baseValue={axis.domain[0]}
              {...motion}
            />
          </AreaChart>
        </ResponsiveContainer>
        <ResponsiveContainer width="100%" height={LOWER_PX}>
          <AreaChart data={data} syncId={name} margin={MARGIN} accessibilityLayer={false}>
            <XAxis {...dayAxis(series)} />
            <YAxis
              width={AXIS_PX}
              domain={['auto', 0]}
              tickFormatter={(value: number) => `${percent(value)}%`}
              tick={AXIS_TEXT}
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
        {axis.isBroken && <AxisBreak from={formatTick(axis.domain[0])} />}
      </div>
      <MarkerLegend facts={facts} kinds={kinds} className="mt-1" />
    </div>
  );
}
