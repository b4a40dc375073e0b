import { clsx } from 'clsx';
import { type ComponentProps, useId } from 'react';
import { useField } from './form-context.ts';
import { pasteClean } from './paste-clean.ts';
import { Theirs } from './theirs.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  name: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** For addresses and keys. */
  isMono?: boolean;
  /** A text of several lines: how many show. */
  rows?: number;
  /** Takes the focus when its dialog opens. */
  'data-first-focus'?: boolean | undefined;
}

/** A labelled field of text. In a form its name is enough: the form has its value and its error. */
export function TextField({
  label,
  hint,
  error: own,
  isMono = false,
  rows,
  className,
  ...rest
}: TextFieldProps) {
  const id = useId();
  const field = useField(rest.name);
  const error = own ?? field?.error;
  const note = error ?? hint;
  const shared = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': note ? `${id}-note` : undefined,
    className: clsx(
      'w-full rounded-md border bg-surface px-3 placeholder:text-muted',
      rows ? 'py-2' : 'h-9',
      error ? 'border-negative' : 'border-control',
      isMono && 'font-mono',
    ),
    // A field with a value of its own takes only its error from the form.
    ...(rest.value === undefined && field?.input),
  };
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {rows ? (
        <textarea rows={rows} {...shared} {...(rest as ComponentProps<'textarea'>)} />
      ) : (
        <input onPaste={pasteClean} {...shared} {...rest} />
      )}
      <Theirs field={field} words={(value) => (value === '' ? 'empty' : `“${value}”`)} />
      {note && (
        <p
          id={`${id}-note`}
          className={clsx('mt-1 text-xs text-pretty', error ? 'text-negative' : 'text-muted')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
