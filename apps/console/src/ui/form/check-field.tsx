import { type ComponentProps, type ReactNode, useId } from 'react';
import { useField } from './form-context.ts';
import { Theirs } from './theirs.tsx';

interface CheckFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  label: ReactNode;
  hint?: string;
}

/**
 * A checkbox of a form, with its text beside it. In a form its name is enough; `CheckList` has several of one name, which
 * choose from a list.
 */
export function CheckField({ label, hint, ...rest }: CheckFieldProps) {
  const id = useId();
  const field = useField(rest.name);
  // What is wrong with a list is said once, below it.
  const error = rest.value === undefined ? field?.error : undefined;
  const note = error ?? hint;
  return (
    <div>
      <label htmlFor={id} className="inline-flex min-h-6 cursor-pointer items-center gap-2">
        <input
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className="size-4 shrink-0 cursor-pointer accent-(--primary)"
          {...(rest.checked === undefined && field?.input)}
          {...rest}
        />
        {label}
      </label>
      <Theirs field={field} words={(value) => (value ? 'ticked' : 'not ticked')} />
      {note && (
        <p id={`${id}-note`} className={`ps-6 text-xs ${error ? 'text-negative' : 'text-muted'}`}>
          {note}
        </p>
      )}
    </div>
  );
}
