import { type ComponentProps, type ReactNode, useId } from 'react';

interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  label: ReactNode;
  hint?: string;
}

/** A checkbox of a form, with its text beside it. */
export function CheckField({ label, hint, ...rest }: CheckFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="inline-flex min-h-6 cursor-pointer items-center gap-2">
        <input
          id={id}
          type="checkbox"
          aria-describedby={hint ? `${id}-note` : undefined}
          className="size-4 shrink-0 cursor-pointer accent-(--primary)"
          {...rest}
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-note`} className="pl-6 text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
