import { lazy } from 'react';
import type { Option } from '../../../lib/list/filters.ts';
import { FilterTrigger } from './filter-trigger.tsx';

interface FilterSelectProps {
  label: string;
  options: readonly Option[];
  value: string | undefined;
  onChange(value: string | undefined): void;
}

const loadListbox = () => import('./filter-listbox.tsx');
const FilterListbox = lazy(loadListbox);

/** A filter with one choice. */
export function FilterSelect({ label, options, value, onChange }: FilterSelectProps) {
  const words = value && (options.find((option) => option.value === value)?.label ?? 'Unknown');
  return (
    <FilterTrigger label={label} value={words} load={loadListbox}>
      {(trigger) => <FilterListbox {...{ label, options, value, trigger, onChange }} />}
    </FilterTrigger>
  );
}
