import type { ActiveFilter } from '../../../lib/url/active-filters.ts';
import { Button } from '../button.tsx';
import { Chip } from './chip.tsx';

interface FilterChipsProps<Filters> {
  active: readonly ActiveFilter<Filters>[];
  /** Every filter, unset. */
  none: Partial<Filters>;
  onChange(change: Partial<Filters>): void;
}

/** The filters in force, each removable, and all at once. */
export function FilterChips<Filters>({ active, none, onChange }: FilterChipsProps<Filters>) {
  if (active.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {active.map(({ label, value, without }) => (
        <Chip key={label} label={label} value={value} onRemove={() => onChange(without)} />
      ))}
      <Button look="quiet" className="h-6! px-2! text-xs!" onClick={() => onChange(none)}>
        Clear all
      </Button>
    </div>
  );
}
