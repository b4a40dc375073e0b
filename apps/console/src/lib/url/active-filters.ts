import { formatDate } from '../format/read-time.ts';

/** A filter in force, in words. */
export interface ActiveFilter<Filters> {
  label: string;
  value: string;
  /** The change that removes it. */
  without: Partial<Filters>;
}

interface Words<Filters> {
  label: string;
  value: string;
  /** Filters that the same words speak for, as the two ends of a range. */
  together?: readonly (keyof Filters)[];
}

/** For each filter its words; null where the words of another filter speak for it, or none are shown. */
export type FilterWords<Filters> = {
  [K in keyof Required<Filters>]:
    | ((value: NonNullable<Filters[K]>, filters: Filters) => Words<Filters> | null)
    | null;
};

/** The filters in force, in the order of their words. A filter without an entry does not compile. */
export function activeFilters<Filters extends object>(
  filters: Filters,
  words: FilterWords<Filters>,
): ActiveFilter<Filters>[] {
  return (Object.keys(words) as (keyof Filters)[]).flatMap((name) => {
    const value = filters[name];
    const written = value && words[name]?.(value as NonNullable<Filters[keyof Filters]>, filters);
    if (!written) return [];
    const { together = [], ...shown } = written;
    const names = [name, ...together];
    return [
      { ...shown, without: Object.fromEntries(names.map((key) => [key, undefined])) as Partial<Filters> },
    ];
  });
}

/** A range in words, from one end, to the other, or both; undefined without any. */
export function rangeWords(
  from: string | undefined,
  to: string | undefined,
  write: (end: string) => string,
): string | undefined {
  if (from && to) return `${write(from)} – ${write(to)}`;
  if (from) return `from ${write(from)}`;
  return to ? `up to ${write(to)}` : undefined;
}

export const dateRange = ({ from, to }: { from?: string; to?: string }) => rangeWords(from, to, formatDate);

/** Why days cannot be a range; null when they can. */
export function dateRangeError({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}): string | null {
  return from && to && from > to ? 'The start date is after the end date' : null;
}

export const labelOf = (options: readonly { value: string; label: string }[], value: string) =>
  options.find((option) => option.value === value)?.label ?? 'Unknown';
