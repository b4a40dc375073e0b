import { clsx } from 'clsx';
import { Popover } from 'radix-ui';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { amountRangeError, dateRangeError } from '../../../lib/list/filter-words.ts';
import { isPreset, PRESETS, type Preset } from '../../../lib/list/relative-days.ts';
import { PopoverPanel } from '../../layout/popover-panel.tsx';
import { Button } from '../button.tsx';
import { TextField } from '../text-field.tsx';

interface Ends {
  from: string | undefined;
  to: string | undefined;
}

interface RangePopoverProps extends Ends {
  kind: keyof typeof FIELDS;
  label: string;
  trigger: ReactNode;
  onChange(ends: Ends): void;
}

const FIELDS = {
  days: {
    labels: { from: 'First day', to: 'Last day' },
    input: { type: 'date', min: '2009-01-03' },
    findError: dateRangeError,
  },
  amounts: {
    labels: { from: 'At least', to: 'At most' },
    input: { inputMode: 'decimal', placeholder: 'USDT', maxLength: 39 },
    findError: amountRangeError,
  },
} as const;

/** The opened filter by two ends. Its fields are reset each time it opens. */
export default function RangePopover({ kind, label, from, to, trigger, onChange }: RangePopoverProps) {
  const [open, setOpen] = useState(true);
  const apply = (ends: Ends) => {
    onChange(ends);
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <PopoverPanel align="start" aria-label={`Filter by ${label.toLowerCase()}`} className="w-84 p-3">
        {kind === 'days' && (
          <Presets chosen={from} onChoose={(preset) => apply({ from: preset, to: undefined })} />
        )}
        <RangeForm {...FIELDS[kind]} from={isPreset(from) ? undefined : from} to={to} onApply={apply} />
      </PopoverPanel>
    </Popover.Root>
  );
}

/** Days that move with today: a saved view keeps their name. */
function Presets({ chosen, onChoose }: { chosen: string | undefined; onChoose(preset: Preset): void }) {
  return (
    <div className="mb-3 flex flex-wrap gap-1.5">
      {(Object.keys(PRESETS) as Preset[]).map((preset) => (
        <Button
          key={preset}
          aria-pressed={preset === chosen}
          className={clsx('h-7! px-2! text-xs!', preset === chosen && 'border-accent! text-accent!')}
          onClick={() => onChoose(preset)}
        >
          {PRESETS[preset]}
        </Button>
      ))}
    </div>
  );
}

interface RangeFormProps extends Ends {
  labels: { from: string; to: string };
  input: ComponentProps<'input'>;
  /** Why this range is invalid; null when it is valid. */
  findError(ends: Ends): string | null;
  onApply(ends: Ends): void;
}

/** Two ends of a range, either of which may be open. */
function RangeForm({ from, to, labels, input, findError, onApply }: RangeFormProps) {
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
