import { type FormEvent, useId, useState } from 'react';
import { readLine, writeLine } from '../../lib/list/filter-line.ts';
import type { Filters } from '../../lib/list/filters.ts';
import { Button } from '../form/button.tsx';
import type { FilterControlsProps } from './filter-controls.tsx';

interface FilterLineProps<F extends Filters> extends FilterControlsProps<F> {
  /** The filter that is typed without a name. */
  search?: string | undefined;
  onClose(): void;
}

/** The filters in force as one line of text, to be copied, typed and pasted. Loaded on demand. */
export default function FilterLine<F extends Filters>(props: FilterLineProps<F>) {
  const { filters, values, sources, search, onChange, onClose } = props;
  const list = { filters, sources, ...(search && { search }) };
  const written = writeLine(values, list);
  const [{ line, from }, setLine] = useState({ line: written, from: written });
  // Changed elsewhere: a chip, the back button. Not by an effect, which would come after the first letter that is typed.
  if (from !== written) setLine({ line: written, from: written });
  const [error, setError] = useState<string | null>(null);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const result = readLine(line, list);
    if ('error' in result) return setError(result.error);
    setError(null);
    // As it is written, also where it says what is in force already.
    setLine({ line: writeLine(result.values, list), from });
    onChange(result.values);
  };
  return (
    <form onSubmit={submit} className="w-full">
      <div className="flex gap-1.5">
        <input
          // biome-ignore lint/a11y/noAutofocus: it was asked for by the press that opened it
          autoFocus
          aria-label="Filters as text"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          placeholder='name:value other:"two words"'
          value={line}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setLine({ line: event.target.value, from })}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
          className="h-8 min-w-0 flex-1 rounded-md border border-control bg-surface px-2.5 font-mono text-sm placeholder:text-muted"
        />
        <Button type="submit">Apply</Button>
      </div>
      {error && (
        <p id={id} role="alert" className="mt-1 text-xs text-pretty text-negative">
          {error}
        </p>
      )}
    </form>
  );
}
