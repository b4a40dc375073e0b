import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import { outstandingOf } from '@copydesk/domain/invoices';
import { sumDecimals } from '@copydesk/domain/money';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';

/** The actions of super admins on invoices. */
export type ActKind = 'pay' | 'unpay' | 'archive' | 'unarchive';

/** The targets of an action: whole groups, single invoices, or both. */
export interface Chosen {
  groups: readonly InvoiceGroup[];
  invoices: readonly Invoice[];
  /** All groups of the tab that match, less these; null: those above. */
  allBut: readonly { reference: string; traderId: string }[] | null;
}

export interface Act {
  kind: ActKind;
  chosen: Chosen;
}

/** The effect of an action, as far as the invoices are known. */
export interface ActPlan {
  /** How many change. */
  count: number;
  /** All that change, where they were read one by one: undoing sends them back. */
  changing: readonly Invoice[];
  /** How many are selected, and of how many traders, where that is not known before. */
  selected?: { invoices: number; traders: number };
  /** USDT that is unpaid and would be given up. */
  givenUp: string;
  /** Invoices that already have the state, or were cancelled. */
  staying: number;
  /** USDT: the outstanding sum of those to be paid, otherwise the sum of their amounts. */
  sum: string;
  /** Invoices to be marked as unpaid that were paid on chain; the server refuses these. */
  onChain: number;
  /** Whether the opposite action on the same invoices restores the previous state. */
  canUndo: boolean;
}

const isPaidIn = ({ paid_amount }: Invoice) => /[1-9]/.test(paid_amount);

const CHANGES: Record<ActKind, (invoice: Invoice) => boolean> = {
  pay: ({ status }) => status === 'pending',
  unpay: ({ status }) => status === 'paid',
  archive: ({ is_archived }) => !is_archived,
  unarchive: ({ is_archived }) => is_archived,
};

export function planAct(kind: ActKind, invoices: readonly Invoice[]): ActPlan {
  const changing = invoices.filter(CHANGES[kind]);
  return {
    count: changing.length,
    changing,
    givenUp:
      kind === 'pay' || kind === 'archive'
        ? sumDecimals(changing.filter(({ status }) => status === 'pending').map(outstandingOf))
        : '0',
    staying: invoices.length - changing.length,
    sum: sumDecimals(changing.map((invoice) => (kind === 'pay' ? outstandingOf(invoice) : invoice.amount))),
    onChain: kind === 'unpay' ? changing.filter(isPaidIn).length : 0,
    // An invoice paid in part on chain cannot be marked as unpaid again.
    canUndo: kind !== 'unpay' && !(kind === 'pay' && changing.some(isPaidIn)),
  };
}

export const OPPOSITE: Record<ActKind, ActKind> = {
  pay: 'unpay',
  unpay: 'pay',
  archive: 'unarchive',
  unarchive: 'archive',
};

export function countOf({ groups, invoices }: Chosen): number {
  return groups.reduce((sum, group) => sum + group.invoice_count, invoices.length);
}

/** The number that is typed before so many change; null: none is. */
export const typedCountOf = (plan: ActPlan | null) =>
  plan && plan.count > TYPED_COUNT_ABOVE_ROWS ? plan.count : null;
