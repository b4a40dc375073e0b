import { formatUsd } from '../format/numbers.ts';
import { formatDay } from '../format/read-time.ts';
import { amount, type Face, type Filters, type Option, type Sources, type ValuesOf } from './filters.ts';
import { isPreset, PRESETS } from './relative-days.ts';

/** A filter in force, in words. */
export interface ActiveFilter<Values> {
  label: string;
  value: string;
  /** The change that removes it. */
  without: Values;
}

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

/**
 * The filters in force, in the order of the list's description.
 * @param kinds only faces of these kinds
 */
export function activeFilters<F extends Filters>(
  filters: F,
  values: ValuesOf<F>,
  sources: Sources,
  kinds?: readonly Face['kind'][],
): ActiveFilter<ValuesOf<F>>[] {
  const all: Record<string, string | undefined> = values;
  return Object.entries(filters).flatMap(([name, { face }]) => {
    const value = all[name];
    if (!value || !face || (kinds && !kinds.includes(face.kind))) return [];
    const without = (...names: (string | undefined)[]) =>
      Object.fromEntries(names.flatMap((each) => (each ? [[each, undefined]] : []))) as ValuesOf<F>;
    if (!('end' in face)) {
      return [{ label: face.label, value: wordsOf(face, value, sources), without: without(name) }];
    }
    const other = otherEnd(filters, face);
    const atOther = other && all[other];
    // The words of the first end speak for both.
    if (face.end === 'to' && atOther) return [];
    const ends = face.end === 'from' ? { from: value, to: atOther } : { from: undefined, to: value };
    return [{ label: face.label, value: rangeWords(face.kind, ends) ?? '', without: without(name, other) }];
  });
}

function wordsOf(face: Exclude<Face, { end: string }>, value: string, sources: Sources): string {
  if (face.kind === 'toggle') return value === 'true' ? 'Yes' : 'No';
  if (face.kind === 'word') return face.write?.(value) ?? value;
  return optionsOf(face, sources).find((option) => option.value === value)?.label ?? 'Unknown';
}

interface Ends {
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

/** Why days cannot be a range; null when they can. */
export function dateRangeError({ from, to }: Ends): string | null {
  return from && to && from > to ? 'The start date is after the end date' : null;
}

/** Why two amounts cannot be a range; null when they can. */
export function amountRangeError({ from, to }: Ends): string | null {
  if ([from, to].some((end) => end !== undefined && amount(end) === undefined)) {
    return 'Enter digits, with a point for cents';
  }
  return from && to && Number(from) > Number(to) ? 'The minimum is above the maximum' : null;
}
