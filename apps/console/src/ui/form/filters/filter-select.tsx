import { clsx } from 'clsx';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { lazy, type ReactNode } from 'react';
import type { Option } from '../../../lib/list/filters.ts';
import { OnDemandButton } from '../../layout/on-demand-button.tsx';

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

interface FilterTriggerProps {
  label: string;
  /** The value in force, in words. */
  value: string | undefined;
  load(): Promise<unknown>;
  children(trigger: ReactNode): ReactNode;
}

/** The button of a filter. */
export function FilterTrigger({ label, value, ...opened }: FilterTriggerProps) {
  const isSet = value !== undefined;
  return (
    <OnDemandButton
      {...opened}
      aria-label={isSet ? `${label}: ${value}` : label}
      className={clsx('max-sm:gap-1 max-sm:px-2.5', isSet && 'border-accent! text-accent!')}
      face={
        <>
          {label}
          <ChevronDown className="size-3.5 opacity-70" aria-hidden="true" />
        </>
      }
    />
  );
}
