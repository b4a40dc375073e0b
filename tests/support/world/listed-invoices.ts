import { providerShareOf } from '@copydesk/domain/invoices';
import { sumDecimals } from '@copydesk/domain/money';
import { units } from './usdt.ts';

/** The fields of the API's invoice that tests use. */
export interface ListedInvoice {
  id: string;
  trader_id: string;
  amount: string;
  asked_amount: string;
  paid_amount: string;
  on_chain_amount: string;
  off_platform_amount: string;
  provider_share: string;
  is_paid: boolean;
  is_archived: boolean;
  is_overdue: boolean;
  status: string;
  invoice_type: string;
  community_id: string;
  exchange: string | null;
  trader: { id: string; reference_number: string | null };
  provider: { id: string; name: string } | null;
  due_at: string;
  created_at: string;
  updated_at: string;
}

/** Base units that were paid beyond the amount. */
export const tooMuch = (invoice: ListedInvoice): bigint => units(invoice.paid_amount) - units(invoice.amount);
/** What rounding can add: traders are asked for whole millionths. */
export const MILLIONTH = 10n ** 12n;

/** Groups by reference number, by the rule of the console's specification and independently of the server. */
export function groupByHand(invoices: readonly ListedInvoice[], tab: 'all' | 'unpaid' | 'paid' | 'archived') {
  const groups = new Map<string, ListedInvoice[]>();
  for (const invoice of invoices) {
    if (invoice.is_archived !== (tab === 'archived')) continue;
    const reference = invoice.trader.reference_number ?? 'unknown';
    groups.set(reference, [...(groups.get(reference) ?? []), invoice]);
  }
  return [...groups]
    .map(([reference, members]) => summary(reference, members))
    .filter(
      ({ is_paid, pending_count }) =>
        tab === 'all' || tab === 'archived' || (tab === 'paid' ? is_paid : pending_count > 0),
    );
}

export type HandMadeGroup = ReturnType<typeof summary>;

function summary(reference_number: string, members: readonly ListedInvoice[]) {
  const count = (fits: (invoice: ListedInvoice) => boolean) => members.filter(fits).length;
  const isOpen = (i: ListedInvoice) => i.status === 'pending' && !i.is_archived;
  return {
    reference_number,
    total_amount: sumDecimals(members.map((i) => i.amount)),
    paid_amount: sumDecimals(members.map((i) => i.paid_amount)),
    on_chain_amount: sumDecimals(members.map((i) => i.on_chain_amount)),
    off_platform_amount: sumDecimals(members.map((i) => i.off_platform_amount)),
    provider_share: sumDecimals(members.map((i) => i.provider_share)),
    invoice_count: members.length,
    trader_count: new Set(members.map((i) => i.trader_id)).size,
    pending_count: count((i) => i.status === 'pending'),
    cancelled_count: count((i) => i.status === 'cancelled'),
    is_paid: members.every((i) => i.is_paid),
    due_count: count((i) => isOpen(i) && !i.is_overdue),
    overdue_count: count((i) => i.is_overdue),
    part_paid_count: count(
      (i) => i.status === 'pending' && units(i.paid_amount) > 0n && units(i.paid_amount) < units(i.amount),
    ),
    overpaid_count: count((i) => tooMuch(i) >= MILLIONTH),
    created_at: latest(members.map((i) => i.created_at)),
    updated_at: latest(members.map((i) => i.updated_at)),
  };
}

const latest = (times: string[]) => times.reduce((a, b) => (Date.parse(a) >= Date.parse(b) ? a : b));

/** The share of an invoice's provider, given the splits of all providers. */
export function shareByHand(invoice: ListedInvoice, splits: ReadonlyMap<string, string>): string {
  if (invoice.invoice_type === 'exchange_bot') return '0';
  return providerShareOf(invoice.amount, invoice.provider ? (splits.get(invoice.provider.id) ?? null) : null);
}
