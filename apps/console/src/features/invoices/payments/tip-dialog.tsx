import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { formatUsdt } from '../../../lib/payout-words.ts';
import { listName } from '../../../lib/trader-name.ts';
import { AskDialog } from '../../../ui/forms/ask-dialog.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { invoicesKeys } from '../invoices-queries.ts';
import type { UnmatchedPayment } from './unmatched-query.ts';

/** Turns a trader's credit into a tip. It is shared like every tip, and pays no invoice any more. */
export function TipDialog({ payment, onClose }: { payment: UnmatchedPayment; onClose(): void }) {
  const [reason, setReason] = useState('');
  const { open_amount: amount, trader } = payment;
  const act = useAct({
    send: () =>
      call('POST /api/payments/{id}/tip', {
        params: { id: payment.id },
        body: { amount, reason: reason.trim() },
      }),
    done: ({ data }) => ({
      title: data.state === 'done' ? 'Credit is a tip now' : 'Waits for another super admin',
      text: `${formatUsdt(amount)} USDT, ${listName(trader)}`,
    }),
    reads: invoicesKeys.unmatched,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="Turn credit into a tip"
      text={`${formatUsdt(amount)} USDT of ${listName(trader)} pay no invoice any more. The recipients of tips get them with the next distribution.`}
      confirm="Make A Tip"
      busy="Saving..."
      isDanger
      {...act}
      onClose={onClose}
    >
      <TextField
        className="mt-3"
        label="Reason"
        name="reason"
        autoComplete="off"
        maxLength={200}
        required
        value={reason}
        hint="Kept in the audit"
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  );
}
