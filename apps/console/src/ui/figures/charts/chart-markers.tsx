import { clsx } from 'clsx';
import type { KeyboardEvent, ReactNode } from 'react';
import { formatCount } from '../../../lib/format/numbers.ts';
import { InfoTip } from '../../feedback/info-tip.tsx';
import { useMedia } from '../../layout/use-media.ts';
import { type ChartFact, type FactGroup, groupFacts } from './chart-facts.ts';

/** How the facts of a kind are named and drawn. */
export interface FactKind {
  name: readonly [one: string, many: string];
  /** A colour of the theme: `var(--accent)`. */
  color: string;
  shape: keyof typeof SHAPES;
}

/** A fact of a chart, as its marker tells it. */
export interface MarkedFact<K extends string = string> extends ChartFact<K> {
  /** When it was, in words. */
  day: string;
  /** What is said after its number and kind: an amount. */
  text: ReactNode;
}

/** Drawn in 10 by 10 pixels. They differ without their colours. */
const SHAPES = {
  square: <rect x="1.5" y="1.5" width="7" height="7" rx="1" />,
  diamond: <path d="M5 0.5 9.5 5 5 9.5 0.5 5Z" />,
  triangle: <path d="M5 1 9.5 9H0.5Z" />,
  down: <path d="M5 9 9.5 1H0.5Z" />,
  circle: <circle cx="5" cy="5" r="4" />,
} as const;
/** Of a marker of several kinds. */
const MIXED = { color: 'var(--ink)', shape: 'circle' } as const;

/** The height of the markers above a line. */
export const LANE_PX = 20;
/** Markers for which there is room beside each other. */
const MOST = { wide: 24, narrow: 11 } as const;

const Glyph = ({ color, shape }: Pick<FactKind, 'color' | 'shape'>) => (
  <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0" fill={color}>
    {SHAPES[shape]}
  </svg>
);

export const factWords = (count: number, { name: [one, many] }: FactKind) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

interface ChartMarkersProps<K extends string> {
  facts: readonly MarkedFact<K>[];
  kinds: Readonly<Record<K, FactKind>>;
  /** Points of the chart. */
  points: number;
  /** Whether points are in the middle of bands, as bars are; otherwise the first and the last are at the edges. */
  isBanded?: boolean;
  /** Distance of the chart's line from the left and from the right. */
  startPx: number;
  endPx: number;
}

/**
 * What happened along the line of a chart, in a lane of its own above it: a marker for each point with a fact, or for
 * several that are too near to each other, with their number. What it says is shown when it is pointed at, tapped or
 * focused: one stop of the keyboard, then arrow keys.
 */
export function ChartMarkers<K extends string>({
  facts,
  kinds,
  points,
  isBanded = false,
  startPx,
  endPx,
}: ChartMarkersProps<K>) {
  const isNarrow = useMedia('(max-width: 640px)');
  if (facts.length === 0) return null;
  const groups = groupFacts(facts, points, isNarrow ? MOST.narrow : MOST.wide);
  const leftOf = (place: number) =>
    isBanded ? (place + 0.5) / points : points > 1 ? place / (points - 1) : 0.5;
  return (
    <div
      role="toolbar"
      aria-label="Markers"
      tabIndex={-1}
      onKeyDown={moveFocus}
      className="relative"
      style={{ height: LANE_PX, marginInlineStart: startPx, marginInlineEnd: endPx }}
    >
      {groups.map((group, nth) => (
        <div
          key={group.place}
          className="absolute inset-y-0 flex w-6 -translate-x-1/2 items-center justify-center"
          style={{ left: `${100 * leftOf(group.place)}%` }}
        >
          <Marker group={group} kinds={kinds} tabIndex={nth === 0 ? 0 : -1} />
        </div>
      ))}
    </div>
  );
}

interface MarkerProps<K extends string> {
  group: FactGroup<MarkedFact<K>>;
  kinds: Readonly<Record<K, FactKind>>;
  tabIndex: number;
}

function Marker<K extends string>({ group: { facts }, kinds, tabIndex }: MarkerProps<K>) {
  const total = facts.reduce((sum, { count }) => sum + count, 0);
  const [first] = facts;
  const isMixed = facts.some(({ kind }) => kind !== first?.kind);
  const days = [...new Set(facts.map(({ day }) => day))];
  const when = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0];
  const words = [...sumsByKind(facts)].map(([kind, count]) => factWords(count, kinds[kind])).join(', ');
  return (
    <InfoTip
      about={words}
      tabIndex={tabIndex}
      text={
        <ul className="max-h-40 overflow-y-auto tabular-nums">
          {facts.map((fact, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no names, and keep their order
            <li key={nth} className="flex items-center gap-1.5">
              <Glyph {...kinds[fact.kind]} />
              <span>
                <span className="text-muted">{fact.day}</span> {factWords(fact.count, kinds[fact.kind])}{' '}
                {fact.text}
              </span>
            </li>
          ))}
        </ul>
      }
      className="flex h-5 min-w-5 items-center justify-center gap-px rounded text-xs tabular-nums hover:bg-hover"
    >
      <Glyph {...(isMixed || !first ? MIXED : kinds[first.kind])} />
      {total > 1 && (
        <span aria-hidden="true" className="leading-none">
          {formatCount(total)}
        </span>
      )}
      <span className="sr-only">
        {when}: {words}
      </span>
    </InfoTip>
  );
}

function sumsByKind<K extends string>(facts: readonly MarkedFact<K>[]): Map<K, number> {
  const sums = new Map<K, number>();
  for (const { kind, count } of facts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  return sums;
}

/** What the markers of a chart mean. */
export function MarkerLegend<K extends string>({
  facts,
  kinds,
  className,
}: Pick<ChartMarkersProps<K>, 'facts' | 'kinds'> & { className?: string }) {
  const shown = [...new Set(facts.map(({ kind }) => kind))];
  if (shown.length === 0) return null;
  return (
    <div className={clsx('flex flex-wrap gap-x-4 text-xs text-muted', className)}>
      {shown.map((kind) => (
        <span key={kind} className="flex items-center gap-1.5">
          <Glyph {...kinds[kind]} />
          {inTitle(kinds[kind].name[1])}
        </span>
      ))}
      {shown.length > 1 && (
        <span className="flex items-center gap-1.5">
          <Glyph {...MIXED} />
          Several kinds
        </span>
      )}
    </div>
  );
}

const inTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** The markers are one stop of the keyboard. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const markers = [...event.currentTarget.querySelectorAll('button')];
  const at = markers.indexOf(document.activeElement as HTMLButtonElement);
  event.preventDefault();
  markers[at + step]?.focus();
}
