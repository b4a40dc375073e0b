import { formatCount, formatUsd } from '../../../lib/format/numbers.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import type { Invoice } from '../invoices-queries.ts';
import type { ActKind, ActPlan, Chosen } from './act.ts';
import { countOf } from './act.ts';

export const ACT_TITLES: Record<ActKind, string> = {
  pay: 'Mark as paid',
  unpay: 'Mark as unpaid',
  archive: 'Archive',
  unarchive: 'Restore',
};

export const ACT_BUSY: Record<ActKind, string> = {
  pay: 'Marking...',
  unpay: 'Marking...',
  archive: 'Archiving...',
  unarchive: 'Taking out...',
};

const DONE_TITLES: Record<ActKind, string> = {
  pay: 'Status updated',
  unpay: 'Status updated',
  archive: 'Invoices archived',
  unarchive: 'Invoices restored',
};
const DONE: Record<ActKind, string> = {
  pay: 'marked as paid',
  unpay: 'marked as unpaid',
  archive: 'archived',
  unarchive: 'restored',
};

/** The toast's texts (console spec, section 8). */
export function doneWords(kind: ActKind, changed: number): { title: string; text: string } {
  return { title: DONE_TITLES[kind], text: `${changed} invoice(s) have been ${DONE[kind]}` };
}

/** In place of the toast above, when the act is above the limit of one person. */
export const WAITS_FOR_OTHER = {
  title: 'Waits for another super admin',
  text: 'Above what one person may write off within 24 hours. Nothing has changed yet.',
};

export function failedTitle(kind: ActKind): string {
  return kind === 'pay' || kind === 'unpay' ? 'Error updating status' : 'Error updating the archive';
}

export const invoicesWord = (n: number) => `${formatCount(n)} ${n === 1 ? 'invoice' : 'invoices'}`;

const shownName = (trader: Invoice['trader']) => trader.reference_number ?? listName(trader);

/** The groups concerned: `of KAIT-1042`, `of 4 traders`. */
function ownersOf({ groups, invoices }: Chosen, traders: number | undefined): string {
  if (traders !== undefined) return `of ${formatCount(traders)} ${traders === 1 ? 'trader' : 'traders'}`;
  const names = new Set([
    ...groups.map(({ reference_number, trader }) => (trader ? shownName(trader) : reference_number)),
    ...invoices.map(({ trader }) => shownName(trader)),
  ]);
  const [first = ''] = names;
  return names.size > 1 ? `of ${formatCount(names.size)} traders` : `of ${first}`;
}

/** The state that an invoice must have for the action. */
const OPPOSITE_WORDS: Record<ActKind, string> = {
  pay: 'unpaid',
  unpay: 'paid',
  archive: 'outside of the archive',
  unarchive: 'in the archive',
};

/** The effect, in one sentence. */
export function willHappen(kind: ActKind, chosen: Chosen, plan: ActPlan | null): string {
  const owners = ownersOf(chosen, plan?.selected?.traders);
  if (!plan) {
    const all = `${invoicesWord(countOf(chosen))} ${owners} are selected.`;
    return `${all} Those that are ${OPPOSITE_WORDS[kind]} will be ${DONE[kind]}.`;
  }
  const n = plan.count;
  if (n === 0) return `There is nothing to do: no invoice ${owners} is ${OPPOSITE_WORDS[kind]}.`;
  const sum = kind === 'pay' ? `${formatUsd(plan.sum)} outstanding` : formatUsd(plan.sum);
  return `${invoicesWord(n)} ${owners}, ${sum}, will be ${DONE[kind]}.`;
}

/** Further consequences. */
export const ACT_MEANS: Record<ActKind, string> = {
  pay: 'Marking by hand settles them off-platform: no payment is expected, and nothing becomes payable to providers, communities or referrers. Traders are notified on Telegram half a minute later, unless you undo it.',
  unpay: 'They are due again, with their original due dates.',
  archive: 'They leave the lists and payment is no longer expected. Payments already made stay as they are.',
  unarchive: 'They return to the lists, and unpaid ones are due again.',
};
