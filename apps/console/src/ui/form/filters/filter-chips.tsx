import { activeFilters } from '../../../lib/list/filter-words.ts';
import type { Filters, Sources, ValuesOf } from '../../../lib/list/filters.ts';
import { Button } from '../button.tsx';
import { Chip } from './chip.tsx';

interface FilterChipsProps<F extends Filters> {
  filters: F;
  values: ValuesOf<F>;
  sources: Sources;
  /** Every filter, unset. */
  none: ValuesOf<F>;
  onChange(change: ValuesOf<F>): void;
}

/** The filters in force, each removable, and all at once. */
export default function FilterChips<F extends Filters>({
  filters,
  values,
  sources,
  none,
  onChange,
}: FilterChipsProps<F>) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {activeFilters(filters, values, sources).map(({ label, value, without }) => (
        <Chip key={label} label={label} value={value} onRemove={() => onChange(without)} />
      ))}
      <Button look="quiet" className="h-6! px-2! text-xs!" onClick={() => onChange(none)}>
        Clear all
      </Button>
    </div>
  );
}
