import { call } from '../../../lib/api/api.ts';
import type { FieldErrors } from '../../../lib/use-form.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys } from '../bot-queries.ts';
import { typedCount, typedUsdt } from './offer-fields.ts';
import { useOfferForm } from './use-offer-form.ts';

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
  const { form, field, checked } = useOfferForm(EMPTY_PLAN, planErrors);
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
  return (
    <AskDialog
      title="New plan"
      text="Price and duration cannot be changed later: delete the plan and add another one."
      confirm="Add plan"
      busy="Adding..."
      isBusy={add.isBusy}
      error={add.error}
      onConfirm={checked(add.onConfirm)}
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
