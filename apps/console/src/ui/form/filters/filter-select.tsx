import { clsx } from 'clsx';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../button.tsx';
import type { FilterOption } from './filter-option.ts';

interface FilterSelectProps {
  label: string;
  options: readonly FilterOption[];
  value: string | undefined;
  onChange(value: string | undefined): void;
}

const loadListbox = () => import('./filter-listbox.tsx');
const FilterListbox = lazy(loadListbox);

/** A filter with one choice. The list behind the button loads shortly before it opens. */
export function FilterSelect({ label, options, value, onChange }: FilterSelectProps) {
  const [wanted, setWanted] = useState(false);
  const isSet = value !== undefined;
  const trigger = (
    <Button
      aria-haspopup="dialog"
      aria-label={
        isSet ? `${label}: ${options.find((option) => option.value === value)?.label ?? 'Unknown'}` : label
      }
      className={clsx('max-sm:gap-1 max-sm:px-2.5', isSet && 'border-accent! text-accent!')}
      onPointerEnter={() => void loadListbox()}
      onFocus={() => void loadListbox()}
    >
      {label}
      <ChevronDown className="size-3.5 opacity-70" aria-hidden="true" />
    </Button>
  );
  if (!wanted) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control
      // biome-ignore lint/a11y/useKeyWithClickEvents: a button's key press arrives as a click
      <span onClick={() => setWanted(true)}>{trigger}</span>
    );
  }
  return (
    <Suspense fallback={trigger}>
      <FilterListbox label={label} options={options} value={value} trigger={trigger} onChange={onChange} />
    </Suspense>
  );
}
