import { call } from '../../../lib/api/api.ts';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys } from '../bot-queries.ts';
import { typedCount, typedUsdt } from './offer-fields.ts';

const MOST_DAYS = 3_650;

const EMPTY_PLAN = { name: '', days: '30', amount: '' };

function planErrors({ name, days, amount }: typeof EMPTY_PLAN): FieldErrors {
  const found: Record<string, string> = {};
  if (!name.trim()) found.name = 'Enter a name';
  if (typedCount(days, 1, MOST_DAYS) === null) found.days = 'Enter 1 to 3,650 days';
  if (typedUsdt(amount) === null) found.amount = 'Enter an amount above 0';
  return found;
}

/** Adds a plan. */
export function NewPlanDialog({ botId, onClose }: { botId: string; onClose(): void }) {
  const form = useDialogForm({
    values: EMPTY_PLAN,
    findErrors: planErrors,
    send: ({ name, days, amount }) =>
      call('POST /api/exchange-bot/{id}/pricing', {
        params: { id: botId },
        body: { name: name.trim(), days: Number(days), amount: amount.trim() },
      }),
    done: ({ data }) => ({ title: 'Plan added', text: data.name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="New plan"
      text="Price and duration cannot be changed later: delete the plan and add another one."
      confirm="Add plan"
      busy="Adding..."
      onClose={onClose}
    >
      <TextField label="Name" name="name" maxLength={200} autoFocus hint="As people see it in the bot" />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="Duration (days)" name="days" inputMode="numeric" />
        <TextField label="Price (USDT)" name="amount" inputMode="decimal" />
      </div>
    </FormDialog>
  );
}
