import { shortId } from '@copydesk/domain/money';
import { Link } from '@tanstack/react-router';
import { Count } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import type { PayoutDetail } from '../history-queries.ts';

/** The shares of invoices that a payout pays, the largest first. */
export function Payables({ payout: { payables, payable_count } }: { payout: PayoutDetail }) {
  if (payables.length === 0) return <p className="text-muted">Its shares are not on record</p>;
  return (
    <>
      <ul aria-label="What it pays" className="divide-y divide-line">
        {payables.map(({ id, invoice_id, reference_number, amount }) => (
          <li key={id} className="flex min-h-8 items-center justify-between gap-3 py-1">
            <Link
              to="/invoices/$invoiceId"
              params={{ invoiceId: invoice_id }}
              className="min-w-0 truncate rounded text-accent hover:underline"
            >
              {reference_number ? (
                <span className="font-mono text-sm">{reference_number}</span>
              ) : (
                'No reference number'
              )}
              <span className="sr-only">, invoice {shortId(invoice_id)}</span>
            </Link>
            <Money amount={amount} as="bare" className="shrink-0" />
          </li>
        ))}
      </ul>
      {payable_count > payables.length && (
        <p className="pt-1 text-xs text-muted">
          The largest <Count n={payables.length} plain="They are listed above" /> of{' '}
          <Count n={payable_count} plain="The largest are listed above" />
        </p>
      )}
    </>
  );
}
