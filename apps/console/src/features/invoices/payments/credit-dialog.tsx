import { call } from '../../../lib/api/api.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import type { UnmatchedPayment } from './unmatched-query.ts';

/** What is done with a trader's credit: it becomes a tip, or goes back to the trader. */
export interface CreditAct {
  payment: UnmatchedPayment;
  act: 'tip' | 'return';
}

/** Asks before a trader's credit is used up: it pays no invoice afterwards. */
export function CreditDialog({ payment, act, onClose }: CreditAct & { onClose(): void }) {
  const { open_amount: amount, trader } = payment;
  const of = `${formatUsdt(amount)} USDT of ${listName(trader)}`;
  const to = trader.payout_address ?? '';
  const words = WORDS[act];
  const form = useDialogForm({
    values: { reason: '' },
    send: ({ reason }, keyOf) => {
      const given = { amount, reason: reason.trim() };
      const params = { id: payment.id };
      const idempotencyKey = keyOf({ act, ...given, to });
      return act === 'tip'
        ? call('POST /api/payments/{id}/tip', { params, body: given, idempotencyKey })
        : call('POST /api/payments/{id}/return', {
            params,
            body: { ...given, to_address: to },
            idempotencyKey,
          });
    },
    done: ({ data }) => ({
      title: data.state === 'done' ? words.done : 'Waits for another super admin',
      text: `${formatUsdt(amount)} USDT, ${listName(trader)}`,
    }),
    reads: invoicesKeys.unmatched,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={words.title}
      text={`${of} pay no invoice any more. ${words.effect(to)}`}
      confirm={words.confirm}
      busy={words.busy}
      isDanger
      onClose={onClose}
    >
      <TextField
        label="Reason"
        name="reason"
        autoComplete="off"
        maxLength={200}
        required
        hint="Kept in the audit"
      />
    </FormDialog>
  );
}

const WORDS = {
  tip: {
    title: 'Turn credit into a tip',
    effect: () => 'The recipients of tips get them with the next distribution.',
    confirm: 'Make a tip',
    busy: 'Saving...',
    done: 'Credit is a tip now',
  },
  return: {
    title: 'Send credit back',
    effect: (to: string) => `They leave the deposit address for the payout address of the trader, ${to}.`,
    confirm: 'Send back',
    busy: 'Ordering...',
    done: 'Credit is being sent back',
  },
};
