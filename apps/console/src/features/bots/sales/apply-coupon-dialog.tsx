import { call } from '../../../lib/api/api.ts';
import { WRITE_OFF_REASON } from '../../../lib/format/order-texts.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys, type Sale } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

/** Applies a coupon to an order of which nothing was paid. */
export function ApplyCouponDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const form = useDialogForm({
    values: { coupon_code: '', reason: '' },
    send: ({ coupon_code, reason }, keyOf) => {
      const body = { coupon_code, ...(reason.trim() !== '' && { reason: reason.trim() }) };
      return call('POST /api/exchange-bot/invoices/{id}/apply-coupon', {
        params: { id: sale.id },
        body,
        idempotencyKey: keyOf(body),
      });
    },
    done: ({ data }) =>
      'order_id' in data
        ? { title: 'Waits for another super admin', text: `${sale.plan_name}, ${buyerName(sale)}` }
        : { title: 'Coupon applied', text: `${formatUsdt(data.amount)} USDT to pay` },
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Apply coupon"
      text={`${sale.plan_name} for ${buyerName(sale)}: ${formatUsdt(sale.amount)} USDT. An order takes one coupon, and what it takes off counts as written off by you.`}
      confirm="Apply coupon"
      busy="Applying..."
      onClose={onClose}
    >
      <TextField
        label="Coupon code"
        name="coupon_code"
        isMono
        autoComplete="off"
        spellCheck={false}
        maxLength={32}
        autoFocus
      />
      <ReasonField {...WRITE_OFF_REASON} />
    </FormDialog>
  );
}
