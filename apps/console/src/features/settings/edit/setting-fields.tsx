import type { SettingName } from '@copydesk/domain/settings';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useId } from 'react';
import { Button } from '../../../ui/form/button.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { SETTINGS, settingText } from '../setting-views.ts';
import { type Draft, isOptional, type TierDraft } from './setting-draft.ts';

interface FieldsProps<D extends Draft> {
  draft: D;
  error: string | undefined;
  onChange(draft: D): void;
}

/** The fields of a setting. */
export function SettingFields({
  name,
  draft,
  bound,
  error,
  onChange,
}: { name: SettingName; bound: string | null } & FieldsProps<Draft>) {
  const { label, field } = SETTINGS[name];
  switch (field.kind) {
    case 'weights':
      return (
        <Weights draft={draft as { hexmount: string; sixk: string }} error={error} onChange={onChange} />
      );
    case 'plans':
      return <Plans draft={draft as { monthly: string; yearly: string }} error={error} onChange={onChange} />;
    case 'tiers':
      return <Tiers draft={draft as TierDraft[]} error={error} onChange={onChange} />;
    case 'choice':
      return (
        <SelectField
          label={label}
          name={name}
          options={Object.entries(field.options).map(([value, words]) => ({ value, label: words }))}
          value={draft as string}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'addresses':
      return <Lines draft={draft as string} error={error} onChange={onChange} />;
  }
  const unit = field.hint;
  return (
    <TextField
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      autoFocus
      maxLength={40}
      value={draft as string}
      error={error}
      hint={
        bound
          ? `${unit}. ${bound}`
          : isOptional(name)
            ? `${unit}. Empty: ${settingText(name, null).toLowerCase()}`
            : unit
      }
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Weights({ draft, error, onChange }: FieldsProps<{ hexmount: string; sixk: string }>) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Hexmount"
        name="hexmount"
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        value={draft.hexmount}
        error={error}
        hint="In parts: 1 and 1 share equally"
        onChange={({ target }) => onChange({ ...draft, hexmount: target.value })}
      />
      <TextField
        label="Sixk"
        name="sixk"
        inputMode="numeric"
        autoComplete="off"
        value={draft.sixk}
        onChange={({ target }) => onChange({ ...draft, sixk: target.value })}
      />
    </div>
  );
}

function Plans({ draft, error, onChange }: FieldsProps<{ monthly: string; yearly: string }>) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="By month"
        name="monthly"
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        value={draft.monthly}
        error={error}
        hint="USD. Empty: not offered"
        onChange={({ target }) => onChange({ ...draft, monthly: target.value })}
      />
      <TextField
        label="By year"
        name="yearly"
        inputMode="decimal"
        autoComplete="off"
        value={draft.yearly}
        hint="USD. Empty: not offered"
        onChange={({ target }) => onChange({ ...draft, yearly: target.value })}
      />
    </div>
  );
}

function Lines({ draft, error, onChange }: FieldsProps<string>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        IP addresses
      </label>
      <textarea
        id={id}
        rows={4}
        value={draft}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value)}
        className={`block w-full rounded-md border bg-surface px-3 py-2 font-mono ${error ? 'border-negative' : 'border-control'}`}
      />
      <p id={`${id}-note`} className={`mt-1 text-xs ${error ? 'text-negative' : 'text-muted'}`}>
        {error ?? 'One on each line'}
      </p>
    </div>
  );
}

function Tiers({ draft, error, onChange }: FieldsProps<TierDraft[]>) {
  const change = (index: number, changed: Partial<TierDraft>) =>
    onChange(draft.map((tier, at) => (at === index ? { ...tier, ...changed } : tier)));
  const input = 'h-9 min-w-0 rounded-md border border-control bg-surface px-3';
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Levels, lowest first</legend>
      <div aria-hidden="true" className="mb-1 flex gap-2 text-xs text-muted">
        <span className="w-5 shrink-0" />
        <span className="flex-1">Name</span>
        <span className="w-28 text-end sm:w-32">From AUM (USD)</span>
        <span className="w-7 shrink-0" />
      </div>
      <ol className="space-y-4">
        {draft.map((tier, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a level is its place, and rows have no other identity
          <li key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
            <span className="w-5 shrink-0 text-end text-muted tabular-nums">{index + 1}</span>
            <input
              aria-label={`Name of level ${index + 1}`}
              maxLength={40}
              value={tier.name}
              onChange={({ target }) => change(index, { name: target.value })}
              className={`${input} flex-1`}
            />
            <input
              aria-label={`AUM of level ${index + 1}, USD`}
              inputMode="decimal"
              value={tier.min_aum}
              onChange={({ target }) => change(index, { min_aum: target.value })}
              className={`${input} w-28 text-end tabular-nums sm:w-32`}
            />
            <button
              type="button"
              aria-label={`Remove level ${index + 1}`}
              onClick={() => onChange(draft.filter((_, at) => at !== index))}
              className="flex size-7 shrink-0 items-center justify-center rounded text-muted hover:bg-negative-soft hover:text-negative"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
            <input
              aria-label={`Benefits of level ${index + 1}`}
              placeholder="Benefits, as in Priority support"
              maxLength={200}
              value={tier.benefits}
              onChange={({ target }) => change(index, { benefits: target.value })}
              className={`${input} me-9 ms-7 w-full flex-1 basis-full`}
            />
          </li>
        ))}
      </ol>
      {draft.length < 20 && (
        <Button
          className="mt-3 ms-7 h-7!"
          onClick={() => onChange([...draft, { name: '', min_aum: '', benefits: '' }])}
        >
          <Plus className="size-3.5" aria-hidden="true" />
          Add level
        </Button>
      )}
      {error && (
        <p role="alert" className="mt-2 text-xs text-negative">
          {error}
        </p>
      )}
    </fieldset>
  );
}
