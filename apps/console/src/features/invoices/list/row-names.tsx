import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import { clsx } from 'clsx';
import { exchangeName } from '../../../lib/format/exchange-name.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { YourPart } from '../../../ui/figures/your-part.tsx';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { isOfOneStranger, referenceOf } from './unknown-group.ts';

/** The name of a group: its number, or the trader's name where the number is not unique. */
export const nameOfGroup = (group: InvoiceGroup) =>
  isOfOneStranger(group) && group.trader ? listName(group.trader) : group.reference_number;

/** The trader or traders of a group. */
export function traderWords({ trader, trader_count }: Pick<InvoiceGroup, 'trader' | 'trader_count'>): string {
  if (trader) return listName(trader);
  return `${formatCount(trader_count)} ${trader_count === 1 ? 'trader' : 'traders'}`;
}

export const PART_OF_INVOICES = 'Other providers have invoices here too. Count and amounts are your part.';

/** The number of a group and its trader. A trader without a number is one level below. */
export function GroupName({ group }: { group: InvoiceGroup }) {
  const isBelow = isOfOneStranger(group);
  return (
    <span className={clsx('flex min-w-0 items-baseline gap-2', isBelow && 'ps-4')}>
      {!isBelow && <span className="shrink-0 font-mono text-sm font-medium">{group.reference_number}</span>}
      <span
        className={clsx('truncate', !isBelow && 'text-muted')}
        title={group.trader ? undefined : 'Traders without a reference number'}
      >
        {traderWords(group)}
      </span>
      <YourPart isPart={group.is_part} title={PART_OF_INVOICES} />
    </span>
  );
}

/** Distinguishes an invoice from the others of its group: the exchange of the profit, and its provider. */
export function InvoiceName({ invoice }: { invoice: Invoice }) {
  const parts = [
    invoice.exchange ? exchangeName(invoice.exchange) : 'Several exchanges',
    invoice.invoice_type === 'exchange_bot' && 'Exchange bot',
    invoice.provider?.name ?? 'No provider',
  ];
  const isTwoBelow = referenceOf(invoice) === UNKNOWN_REFERENCE;
  return (
    <span className={clsx('block truncate', isTwoBelow && 'ps-8')}>{parts.filter(Boolean).join(' · ')}</span>
  );
}
