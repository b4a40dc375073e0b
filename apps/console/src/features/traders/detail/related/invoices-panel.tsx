import type { Trader } from '@copydesk/contract/traders';
import { Link } from '@tanstack/react-router';
import { State } from '../../../../ui/feedback/state.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { Panel } from '../../../../ui/layout/panel.tsx';

type Invoices = NonNullable<Trader['invoices']>;

function InvoiceBadge({ invoice }: { invoice: Invoices['recent_invoices'][number] }) {
  if (invoice.is_paid) return <State tone="positive">Paid</State>;
  if (invoice.status === 'cancelled') return <State tone="neutral">Cancelled</State>;
  return <State tone="neutral">Pending</State>;
}

interface InvoicesPanelProps {
  invoices: Invoices;
  /** The trader's reference number: the invoices screen searches by it. */
  reference: string | null;
}

export function InvoicesPanel({ invoices, reference }: InvoicesPanelProps) {
  const { total_count: total, recent_invoices: recent } = invoices;
  return (
    <Panel
      title="Invoice Information"
      count={total}
      actions={
        reference && (
          <Link
            to="/invoices"
            search={{ search: reference }}
            className="rounded text-xs font-medium text-accent hover:underline"
          >
            View all
          </Link>
        )
      }
    >
      <ul aria-label="Recent invoices">
        {recent.map((invoice) => (
          <li
            key={invoice.id}
            className="grid h-8 grid-cols-[minmax(0,1fr)_auto_4.75rem] items-center gap-3 border-t border-line first:border-t-0"
          >
            <When at={invoice.created_at} as="day" className="text-muted" />
            <Link
              to="/invoices/$invoiceId"
              params={{ invoiceId: invoice.id }}
              className="rounded font-medium hover:text-accent hover:underline"
            >
              <Money amount={invoice.amount} as="usd" isAsked />
            </Link>
            <span className="text-end">
              <InvoiceBadge invoice={invoice} />
            </span>
          </li>
        ))}
      </ul>
      {total > recent.length && (
        <p className="mt-2 text-xs text-muted">
          The newest <Count n={recent.length} plain="They are listed above" /> are shown.
        </p>
      )}
    </Panel>
  );
}
