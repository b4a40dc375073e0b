import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { formatUsdt } from '../../../lib/format/payout-texts.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { WriteOffReason } from '../../../ui/form/write-off-reason.tsx';
import { botKeys, type Sale } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

/** Applies a coupon to an order of which nothing was paid. */
export function ApplyCouponDialog({ sale, onClose }: { sale: Sale; onClose(): void }) {
  const [code, setCode] = useState('');
  const [reason, setReason] = useState('');
  const apply = useAct({
    send: (keyOf) => {
      const body = { coupon_code: code, ...(reason.trim() !== '' && { reason: reason.trim() }) };
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
    <AskDialog
      title="Apply coupon"
      text={`${sale.plan_name} for ${buyerName(sale)}: ${formatUsdt(sale.amount)} USDT. An order takes one coupon, and what it takes off counts as written off by you.`}
      confirm="Apply coupon"
      busy="Applying..."
      {...apply}
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
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <WriteOffReason value={reason} onChange={setReason} />
    </AskDialog>
  );
}
