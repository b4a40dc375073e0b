import { exactUsdt } from '../../../lib/format/usdt.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { TxLink } from '../../../ui/figures/tx-link.tsx';
import { When } from '../../../ui/figures/when.tsx';
import type { InvoiceDetail } from './invoice-query.ts';

/** The payments of an invoice. They have no id here: transaction and time identify them. */
export function Payments({
  invoice: { payments, paid_amount, status },
  explorerUrl,
}: {
  invoice: InvoiceDetail;
  explorerUrl: string;
}) {
  if (payments.length === 0) {
    const isPaidIn = /[1-9]/.test(paid_amount);
    return (
      <p className="text-muted">
        {isPaidIn
          ? 'Individual payments are not on record'
          : status === 'paid'
            ? 'None: it was marked as paid, off-platform'
            : 'No payments yet'}
      </p>
    );
  }
  return (
    <ul aria-label="Payments" className="space-y-1.5">
      {payments.map(({ amount, tip, transaction_hash, received_at }) => (
        <li
          key={`${transaction_hash} ${received_at} ${amount}`}
          className="flex items-start justify-between gap-3"
        >
          <span className="min-w-0">
            <When at={received_at} className="block" />
            {transaction_hash ? (
              <TxLink hash={transaction_hash} what="Payment" explorerUrl={explorerUrl} />
            ) : (
              <span className="text-xs text-muted">without a transaction</span>
            )}
          </span>
          <span className="text-end tabular-nums">
            <Money amount={amount} as="usd" className="font-medium" />
            {/[1-9]/.test(tip) && (
              <span className="block text-xs text-muted" title={exactUsdt(tip)}>
                of it <Money amount={tip} as="usd" /> above the invoice
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
