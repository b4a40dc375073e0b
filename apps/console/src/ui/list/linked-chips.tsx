import { activeFilters } from '../../lib/list/filter-words.ts';
import type { Filters } from '../../lib/list/filters.ts';
import { Chip } from '../form/filters/chip.tsx';
import type { FilterControlsProps } from './filter-controls.tsx';

interface LinkedChipsProps<F extends Filters> extends Omit<FilterControlsProps<F>, 'filters'> {
  list: { filters: F };
}

/** The filters in force that links set, where controls show all others. */
export function LinkedChips<F extends Filters>({ list, values, sources, onChange }: LinkedChipsProps<F>) {
  const active = activeFilters(list.filters, values, sources, ['word']);
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-4 pb-2">
      {active.map(({ label, value, without }) => (
        <Chip key={label} label={label} value={value} onRemove={() => onChange(without)} />
      ))}
    </div>
  );
}
