import { type Ends, optionsOf, otherEnd, rangeWords } from './filter-faces.ts';
import { amount, type Face, type Filters, type Sources, type ValuesOf } from './filters.ts';

/** A filter in force, in words. */
export interface ActiveFilter<Values> {
  label: string;
  value: string;
  /** The change that removes it. */
  without: Values;
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
    // The first end's words cover both.
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
