import { formatUsd } from '../format/numbers.ts';
import { formatDay } from '../format/zone-time.ts';
import type { Face, Filters, Option, Sources } from './filters.ts';
import { isPreset, PRESETS } from './relative-days.ts';

/** The choices of a filter: its own, or those of the directory. */
export const optionsOf = (face: Face & { kind: 'choice' }, sources: Sources): readonly Option[] =>
  typeof face.options === 'string' ? (sources[face.options] ?? []) : face.options;

/** The name of the filter at the other end of a range. */
export function otherEnd(filters: Filters, face: Face & { end: string }): string | undefined {
  const at = Object.entries(filters).find(
    ([, { face: other }]) =>
      other !== undefined && 'end' in other && other.label === face.label && other.end !== face.end,
  );
  return at?.[0];
}

export interface Ends {
  from?: string | undefined;
  to?: string | undefined;
}

/** A range in words, from one end, to the other, or both; undefined without any. */
export function rangeWords(kind: 'days' | 'amounts', { from, to }: Ends): string | undefined {
  if (isPreset(from)) return PRESETS[from];
  const write = kind === 'days' ? formatDay : formatUsd;
  if (from && to) return `${write(from)} – ${write(to)}`;
  if (from) return `from ${write(from)}`;
  return to ? `up to ${write(to)}` : undefined;
}
