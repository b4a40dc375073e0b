import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CheckField } from './check-field.tsx';
import { useField } from './form-context.ts';

interface CheckListProps {
  legend: string;
  /** Of the list of chosen values in the form. */
  name: string;
  options: readonly { value: string; label: ReactNode }[];
  hint?: string | undefined;
  /** How the boxes are laid out, when not below each other. */
  layout?: string;
}

/** Checkboxes of a form that choose from a list. */
export function CheckList({ legend, name, options, hint, layout = 'grid gap-1' }: CheckListProps) {
  const error = useField(name)?.error;
  return (
    <fieldset>
      <legend className="font-medium">{legend}</legend>
      <div className={clsx('mt-1', layout)}>
        {options.map(({ value, label }) => (
          <CheckField key={value} name={name} value={value} label={label} />
        ))}
      </div>
      <p className={clsx('mt-1 text-xs empty:hidden', error ? 'text-negative' : 'text-muted')} role="status">
        {error ?? hint}
      </p>
    </fieldset>
  );
}
