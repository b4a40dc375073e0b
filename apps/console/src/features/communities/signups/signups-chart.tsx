import type { SignupSource } from '@copydesk/domain/traders';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDate } from '../../../lib/format/read-time.ts';
import { AXIS_TEXT, CHART_PX, dayAxis } from '../../../ui/figures/charts/chart-axis.ts';
import { WIDEST_BAR_PX } from '../../../ui/figures/charts/widest-bar.ts';
import { Count } from '../../../ui/figures/linked.tsx';
import { useMedia } from '../../../ui/layout/use-media.ts';
import { SOURCE_WORDS } from './signup-sources.ts';
import type { SignupDay } from './signups-query.ts';

type Day = SignupDay & { day: string };

interface SignupsChartProps {
  days: readonly Day[];
  /** Those that occur, from the bottom up. */
  sources: readonly SignupSource[];
}

/** Sign-ups by day, stacked by source. */
export default function SignupsChart({ days, sources }: SignupsChartProps) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  return (
    <div
      role="img"
      aria-label={`Sign-ups from ${formatDate(days[0]?.day)} to ${formatDate(days.at(-1)?.day)}`}
    >
      <ResponsiveContainer width="100%" height={CHART_PX}>
        <BarChart
          data={[...days]}
          margin={{ top: 6, right: 4, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...dayAxis(days)} />
          <YAxis
            width={36}
            allowDecimals={false}
            tick={AXIS_TEXT}
            tickLine={false}
            axisLine={false}
            tickCount={4}
          />
          <Tooltip content={<DayTooltip sources={sources} />} cursor={{ fill: 'var(--subtle)' }} />
          {sources.map((source) => (
            <Bar
              key={source}
              stackId="sources"
              maxBarSize={WIDEST_BAR_PX}
              dataKey={(day: Day) => day.sources[source]}
              fill={SOURCE_WORDS[source].color}
              isAnimationActive={!isStill}
              animationDuration={300}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

interface DayTooltipProps {
  sources: readonly SignupSource[];
  payload?: readonly { payload?: Day }[];
}

function DayTooltip({ sources, payload }: DayTooltipProps) {
  const day = payload?.[0]?.payload;
  if (!day) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs tabular-nums shadow-raised">
      <p className="text-muted">{formatDate(day.day)}</p>
      <p className="font-semibold">
        <Count n={day.traders} plain="No list has traders by day" />{' '}
        {day.traders === 1 ? 'sign-up' : 'sign-ups'}
      </p>
      {sources
        .filter((source) => day.sources[source] > 0)
        .map((source) => (
          <p key={source}>
            {SOURCE_WORDS[source].label}{' '}
            <Count n={day.sources[source]} plain="No list has traders by source" />
          </p>
        ))}
    </div>
  );
}
