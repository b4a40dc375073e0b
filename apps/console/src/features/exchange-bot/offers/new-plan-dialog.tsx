import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import type { FieldErrors } from '../../../lib/use-form.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { botKeys } from '../bot-queries.ts';
import { typedCount, typedUsdt } from './offer-fields.ts';

const MOST_DAYS = 3_650;

/** Adds a plan. */
export function NewPlanDialog({ botId, onClose }: { botId: string; onClose(): void }) {
  const [form, setForm] = useState({ name: '', days: '30', amount: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const add = useAct({
    send: () =>
      call('POST /api/exchange-bot/{id}/pricing', {
        params: { id: botId },
        body: { name: form.name.trim(), days: Number(form.days), amount: form.amount.trim() },
      }),
    done: ({ data }) => ({ title: 'Plan added', text: data.name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  const confirm = () => {
    const found: Record<string, string> = {};
    if (!form.name.trim()) found.name = 'Enter a name';
    if (typedCount(form.days, 1, MOST_DAYS) === null) found.days = 'Enter 1 to 3,650 days';
    if (typedUsdt(form.amount) === null) found.amount = 'Enter an amount above 0';
    setErrors(found);
    if (Object.keys(found).length === 0) add.onConfirm();
  };
  const field = (name: keyof typeof form) => ({
    name,
    value: form[name],
    autoComplete: 'off',
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  });
  return (
    <AskDialog
      title="New Plan"
      text="Price and duration cannot be changed later: delete the plan and add another one."
      confirm="Add Plan"
      busy="Adding..."
      isBusy={add.isBusy}
      error={add.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField
          label="Name"
          {...field('name')}
          maxLength={200}
          autoFocus
          hint="As people see it in the bot"
        />
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField label="Duration (days)" {...field('days')} inputMode="numeric" />
          <TextField label="Price (USDT)" {...field('amount')} inputMode="decimal" />
        </div>
      </div>
    </AskDialog>
  );
}
