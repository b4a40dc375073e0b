import { formatDate } from '../../../lib/format/read-time.ts';
import { FEWEST_POINTS } from './chart-axis.ts';

export interface TrendPoint {
  /** YYYY-MM-DD */
  day: string;
  /** A decimal string or a count, which becomes a float only here, to compute pixels. */
  value: string | number;
}

interface TrendProps {
  /** Oldest first. */
  points: readonly TrendPoint[];
  /** Days that the width is for; the last point is at its end. */
  days: number;
  /** What the line is of, as its description begins. */
  name: string;
  format(value: string): string;
  /** Summed by day: drawn as bars, and a day without a point is zero. */
  isFlow?: boolean;
}

const WIDTH = 300;
const HEIGHT = 32;
const DAY_MS = 86_400_000;

/** The last days of a figure, without axes: how it moves, beside what it is. */
export function Trend({ points, days, name, format, isFlow = false }: TrendProps) {
  const last = points.at(-1);
  const first = points[0];
  if (!first || !last || (points.length < 2 && !isFlow)) return null;
  const values = points.map(({ value }) => Number(value));
  const most = Math.max(...values);
  const least = isFlow || points.length < FEWEST_POINTS ? 0 : Math.min(...values);
  const step = WIDTH / days;
  const end = Date.parse(last.day);
  const x = (day: string) => WIDTH - ((end - Date.parse(day)) / DAY_MS + 0.5) * step;
  /** 2 px stay free for the width of the line. */
  const y = (value: number) => HEIGHT - 2 - ((value - least) / (most - least || 1)) * (HEIGHT - 4);
  const at = (index: number) => format(String(points[index]?.value ?? 0));
  const described = [
    `${name}, ${formatDate(first.day)} to ${formatDate(last.day)}`,
    `from ${at(0)} to ${at(points.length - 1)}`,
    `lowest ${at(values.indexOf(Math.min(...values)))}, highest ${at(values.indexOf(most))}`,
  ].join('; ');
  return (
    <svg
      role="img"
      aria-label={described}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full text-accent"
    >
      <title>{described}</title>
      {isFlow || points.length < FEWEST_POINTS ? (
        points.map(({ day, value }) => (
          <rect
            key={day}
            x={x(day) - step * 0.35}
            width={step * 0.7}
            y={y(Number(value))}
            height={HEIGHT - y(Number(value))}
            className="fill-current"
          />
        ))
      ) : (
        <polyline
          points={points.map(({ day, value }) => `${x(day)},${y(Number(value))}`).join(' ')}
          className="fill-none stroke-current"
          strokeWidth={1.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
