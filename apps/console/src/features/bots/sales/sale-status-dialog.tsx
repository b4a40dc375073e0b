import { call } from '../../../lib/api/api.ts';
import { WRITE_OFF_REASON } from '../../../lib/format/order-texts.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys, type Sale } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

const isPartPaid = ({ status, paid_amount }: Sale) => status === 'pending' && Number(paid_amount) > 0;

const ACTS = {
  cancelled: {
    title: 'Cancel order',
    text: (sale: Sale) =>
      isPartPaid(sale)
        ? `${buyerName(sale)} owes nothing for it any more. The ${formatUsdt(sale.paid_amount)} USDT that were paid become credit: it pays the next invoice or order of this buyer.`
        : `${buyerName(sale)} owes nothing for it any more. A payment of exactly ${formatUsdt(sale.amount)} USDT within seven days still pays it.`,
    confirm: 'Cancel order',
    done: 'Order cancelled',
  },
  paid: {
    title: 'Mark as paid',
    text: (sale: Sale) =>
      `${formatUsdt(sale.amount)} USDT were settled outside of the platform: no shares are paid out. Access for ${sale.days} days begins.`,
    confirm: 'Mark as paid',
    done: 'Order marked as paid',
  },
  pending: {
    title: 'Mark as unpaid',
    text: (sale: Sale) => `The access of ${buyerName(sale)} that came with this order ends.`,
    confirm: 'Mark as unpaid',
    done: 'Order marked as unpaid',
  },
};

interface SaleStatusDialogProps {
  sale: Sale;
  status: Sale['status'];
  onClose(): void;
}

/** Cancels an order, marks it as paid, or as unpaid again. */
export function SaleStatusDialog({ sale, status, onClose }: SaleStatusDialogProps) {
  const { title, text, confirm, done } = ACTS[status];
  const isWriteOff = status !== 'pending';
  const form = useDialogForm({
    values: { reason: '' },
    send: ({ reason }, keyOf) => {
      const body = {
        status,
        ...(isWriteOff && reason.trim() !== '' && { reason: reason.trim() }),
        ...(status === 'cancelled' && isPartPaid(sale) && { paid_becomes_credit: true as const }),
      };
      return call('PATCH /api/exchange-bot/invoices/{id}/status', {
        params: { id: sale.id },
        body,
        idempotencyKey: keyOf(body),
      });
    },
    done: ({ data }) => ({
      title: 'state' in data ? 'Waits for another super admin' : done,
      text: `${sale.plan_name}, ${buyerName(sale)}`,
    }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={title}
      text={text(sale)}
      confirm={confirm}
      busy="Saving..."
      isDanger={status !== 'paid'}
      onClose={onClose}
    >
      {isWriteOff && <ReasonField {...WRITE_OFF_REASON} />}
    </FormDialog>
  );
}
