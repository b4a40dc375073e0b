import { clsx } from 'clsx';
import { type ComponentProps, useId } from 'react';
import { useField } from './form-context.ts';
import { Theirs } from './theirs.tsx';

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id'> {
  label: string;
  options: readonly { value: string; label: string }[];
}

/** A labelled select. In a form its name is enough. */
export function SelectField({ label, options, ...rest }: SelectFieldProps) {
  const id = useId();
  const field = useField(rest.name);
  const error = field?.error;
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <select
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-note` : undefined}
        className={clsx(
          'h-9 w-full rounded-md border bg-surface px-2.5',
          error ? 'border-negative' : 'border-control',
        )}
        {...(rest.value === undefined && field?.input)}
        {...rest}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Theirs
        field={field}
        words={(value) => options.find((option) => option.value === value)?.label ?? String(value)}
      />
      {error && (
        <p id={`${id}-note`} className="mt-1 text-xs text-pretty text-negative">
          {error}
        </p>
      )}
    </div>
  );
}
