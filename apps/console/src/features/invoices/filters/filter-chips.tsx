import { Chip } from '../../../ui/filters/chip.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { type InvoiceNarrowing, NO_NARROWING } from '../invoices-search.ts';
import { activeFilters, type FilterOptions } from './filter-words.ts';

interface FilterChipsProps {
  filters: InvoiceNarrowing;
  options: FilterOptions;
  onChange(change: InvoiceNarrowing): void;
}

/** The active filters, removable one by one or all at once. */
export function FilterChips({ filters, options, onChange }: FilterChipsProps) {
  const active = activeFilters(filters, options);
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
