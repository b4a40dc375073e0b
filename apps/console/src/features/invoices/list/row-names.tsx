import { formatUsd, formatWholeUsd } from '@copydesk/domain';
import { exchangeName } from '../../../lib/exchange-name.ts';
import { listName } from '../../../lib/trader-name.ts';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';

/** The number of a group, and whose it is. */
export function GroupName({ group }: { group: InvoiceGroup }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="shrink-0 font-mono text-xs font-medium">{group.reference_number}</span>
      <span className="truncate text-muted">
        {group.trader ? listName(group.trader) : 'Traders without a reference number'}
      </span>
    </span>
  );
}

/** What tells an invoice from the others of its group: where the profit was made, and for whom. */
export function InvoiceName({ invoice, withTrader }: { invoice: Invoice; withTrader: boolean }) {
  const parts = [
    withTrader && listName(invoice.trader),
    invoice.exchange ? exchangeName(invoice.exchange) : 'Several exchanges',
    invoice.invoice_type === 'exchange_bot' && 'Exchange bot',
    invoice.provider?.name ?? 'No provider',
  ];
  return <span className="block truncate">{parts.filter(Boolean).join(' · ')}</span>;
}

/** Money of the list: whole dollars, to the cent for those who point at it. */
export function Money({ amount, isQuiet = false }: { amount: string; isQuiet?: boolean }) {
  return (
    <span title={formatUsd(amount)} className={isQuiet ? 'text-muted' : undefined}>
      {formatWholeUsd(amount)}
    </span>
  );
}
