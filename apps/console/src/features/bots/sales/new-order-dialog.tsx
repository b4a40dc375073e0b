import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { formatUsdt } from '../../../lib/format/payout-texts.ts';
import type { FieldErrors } from '../../../lib/use-form.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys, plansQuery } from '../bot-queries.ts';
import { daysWords } from '../bot-texts.ts';
import { useOfferForm } from '../offers/use-offer-form.ts';

const EMPTY = { telegram: '', name: '', coupon: '', plan: '' };

function orderErrors({ telegram, plan }: typeof EMPTY): FieldErrors {
  const found: Record<string, string> = {};
  if (!/^[1-9]\d{0,15}$/.test(telegram.trim()))
    found.telegram = "Enter the digits of the person's Telegram id";
  if (plan === '') found.plan = 'Choose a plan';
  return found;
}

/** Orders a plan for a person, as the bot does. */
export function NewOrderDialog({ botId, onClose }: { botId: string; onClose(): void }) {
  const plans = useQuery(plansQuery(botId));
  const { form, field, checked } = useOfferForm(EMPTY, orderErrors);
  const order = useAct({
    send: (keyOf) => {
      const body = {
        plan_id: form.plan,
        buyer: { telegram_user_id: form.telegram.trim(), name: form.name.trim() || null },
        ...(form.coupon.trim() ? { coupon_code: form.coupon } : {}),
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
    <AskDialog
      title="New order"
      text="The buyer becomes a pending trader of the community. An earlier unpaid order of the same person is cancelled."
      confirm="Record order"
      busy="Recording..."
      isBusy={order.isBusy}
      error={order.error}
      onConfirm={checked(order.onConfirm)}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <SelectField
          label="Plan"
          {...field('plan')}
          options={[
            { value: '', label: 'Choose a plan' },
            ...offered.map(({ id, name, days, amount }) => ({
              value: id,
              label: `${name}, ${daysWords(days)}, ${formatUsdt(amount)} USDT`,
            })),
          ]}
        />
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField label="Telegram id" {...field('telegram')} inputMode="numeric" maxLength={16} />
          <TextField label="Name (optional)" {...field('name')} maxLength={200} />
        </div>
        <TextField label="Coupon code (optional)" {...field('coupon')} isMono maxLength={32} />
      </div>
    </AskDialog>
  );
}
