import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys, plansQuery } from '../bot-queries.ts';
import { daysWords } from '../bot-texts.ts';

const EMPTY = { telegram_user_id: '', name: '', coupon_code: '', plan_id: '' };

function orderErrors({ telegram_user_id, plan_id }: typeof EMPTY): FieldErrors {
  const found: Record<string, string> = {};
  if (!/^[1-9]\d{0,15}$/.test(telegram_user_id.trim()))
    found.telegram_user_id = "Enter the digits of the person's Telegram id";
  if (plan_id === '') found.plan_id = 'Choose a plan';
  return found;
}

/** Orders a plan for a person, as the bot does. */
export function NewOrderDialog({ botId, onClose }: { botId: string; onClose(): void }) {
  const plans = useQuery(plansQuery(botId));
  const form = useDialogForm({
    values: EMPTY,
    findErrors: orderErrors,
    send: ({ plan_id, telegram_user_id, name, coupon_code }, keyOf) => {
      const body = {
        plan_id,
        buyer: { telegram_user_id: telegram_user_id.trim(), name: name.trim() || null },
        ...(coupon_code.trim() ? { coupon_code } : {}),
      };
      return call('POST /api/exchange-bot/invoices', { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data }) => ({
      title: data.status === 'paid' ? 'Order paid from earlier payments' : 'Order recorded',
      text: `${formatUsdt(data.amount)} USDT to ${data.payment_address}`,
    }),
    reads: botKeys.all,
    onDone: onClose,
  });
  const offered = plans.data?.filter(({ is_active }) => is_active) ?? [];
  return (
    <FormDialog
      form={form}
      title="New order"
      text="The buyer becomes a pending trader of the community. An earlier unpaid order of the same person is cancelled."
      confirm="Record order"
      busy="Recording..."
      onClose={onClose}
    >
      <SelectField
        label="Plan"
        name="plan_id"
        options={[
          { value: '', label: 'Choose a plan' },
          ...offered.map(({ id, name, days, amount }) => ({
            value: id,
            label: `${name}, ${daysWords(days)}, ${formatUsdt(amount)} USDT`,
          })),
        ]}
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="Telegram id" name="telegram_user_id" inputMode="numeric" maxLength={16} />
        <TextField label="Name (optional)" name="name" maxLength={200} />
      </div>
      <TextField label="Coupon code (optional)" name="coupon_code" isMono maxLength={32} />
    </FormDialog>
  );
}
