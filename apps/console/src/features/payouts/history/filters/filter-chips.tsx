import { Chip } from '../../../../ui/filters/chip.tsx';
import type { FilterOption } from '../../../../ui/filters/filter-option.ts';
import { Button } from '../../../../ui/forms/button.tsx';
import { NO_NARROWING, type PayoutNarrowing } from '../history-search.ts';
import { activeFilters } from './filter-words.ts';

interface FilterChipsProps {
  filters: PayoutNarrowing;
  communities: readonly FilterOption[];
  onChange(change: PayoutNarrowing): void;
}

/** The active filters, removable one by one or all at once. */
export function FilterChips({ filters, communities, onChange }: FilterChipsProps) {
  const active = activeFilters(filters, communities);
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {active.map(({ label, value, without }) => (
        <Chip key={label} label={label} value={value} onRemove={() => onChange(without)} />
      ))}
      <Button look="quiet" className="h-6! px-2! text-xs!" onClick={() => onChange(NO_NARROWING)}>
        Clear all
      </Button>
    </div>
  );
}
