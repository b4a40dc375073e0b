import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from '../text-field.tsx';

interface Ends {
  from: string | undefined;
  to: string | undefined;
}

interface RangeFormProps extends Ends {
  labels: { from: string; to: string };
  input: ComponentProps<'input'>;
  /** Why this range is invalid; null when it is valid. */
  findError(ends: Ends): string | null;
  onApply(ends: Ends): void;
}

/** Two ends of a range, either of which may be open. */
export function RangeForm({ from, to, labels, input, findError, onApply }: RangeFormProps) {
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const end = (name: string) => String(data.get(name) ?? '').trim() || undefined;
    const ends = { from: end('from'), to: end('to') };
    const found = findError(ends);
    setError(found);
    if (!found) onApply(ends);
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className="grid grid-cols-2 gap-2">
        <TextField {...input} name="from" label={labels.from} defaultValue={from} autoComplete="off" />
        <TextField {...input} name="to" label={labels.to} defaultValue={to} autoComplete="off" />
      </div>
      <p role="alert" className="mt-1 text-xs text-negative empty:hidden">
        {error}
      </p>
      <div className="mt-3 flex justify-end gap-2">
        <Button look="quiet" onClick={() => onApply({ from: undefined, to: undefined })}>
          Clear
        </Button>
        <Button type="submit" look="primary">
          Apply
        </Button>
      </div>
    </form>
  );
}
