import { clsx } from 'clsx';
import { type ComponentProps, useId } from 'react';
import { pasteClean } from './paste-clean.ts';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  name: string;
  hint?: string;
  error?: string | undefined;
  /** For addresses and keys. */
  isMono?: boolean;
  /** Takes the focus when its dialog opens. */
  'data-first-focus'?: boolean | undefined;
}

export function TextField({ label, hint, error, isMono = false, className, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={clsx(
          'h-9 w-full rounded-md border bg-surface px-3 placeholder:text-muted',
          error ? 'border-negative' : 'border-control',
          isMono && 'font-mono',
        )}
        onPaste={pasteClean}
        {...rest}
      />
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
