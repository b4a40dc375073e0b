import type { ActiveFilter } from '../../../lib/list/filter-words.ts';
import { Button } from '../button.tsx';
import { Chip } from './chip.tsx';

interface FilterChipsProps<Values> {
  active: readonly ActiveFilter<Values>[];
  /** Every filter, unset. */
  none: Values;
  onChange(change: Values): void;
}

/** The filters in force, each removable, and all at once. */
export function FilterChips<Values>({ active, none, onChange }: FilterChipsProps<Values>) {
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
