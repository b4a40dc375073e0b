import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { groupKey } from './held-page.ts';
import { isOfOneStranger, referenceOf } from './unknown-group.ts';

/** The selection: whole groups, and single invoices of groups that are not selected as a whole. */
export interface Selection {
  groups: ReadonlyMap<string, InvoiceGroup>;
  invoices: ReadonlyMap<string, Invoice>;
}

export const NOTHING_SELECTED: Selection = { groups: new Map(), invoices: new Map() };

const isOf = (group: InvoiceGroup) => (invoice: Invoice) =>
  referenceOf(invoice) === group.reference_number &&
  invoice.is_archived === group.is_archived &&
  (!isOfOneStranger(group) || group.trader?.id === invoice.trader.id);

export function isEmpty({ groups, invoices }: Selection): boolean {
  return groups.size === 0 && invoices.size === 0;
}

/** How much of a group is selected. */
export function extentOf(selection: Selection, group: InvoiceGroup): 'all' | 'some' | 'none' {
  if (selection.groups.has(groupKey(group))) return 'all';
  return [...selection.invoices.values()].some(isOf(group)) ? 'some' : 'none';
}

export function isTicked(selection: Selection, group: InvoiceGroup, invoice: Invoice): boolean {
  return selection.groups.has(groupKey(group)) || selection.invoices.has(invoice.id);
}

/** Selecting a whole group replaces the selection of its invoices. */
export function tickGroups(
  { groups, invoices }: Selection,
  changed: readonly InvoiceGroup[],
  isOn: boolean,
): Selection {
  const next = new Map(groups);
  for (const group of changed) {
    if (isOn) next.set(groupKey(group), group);
    else next.delete(groupKey(group));
  }
  const rest = [...invoices].filter(([, invoice]) => !changed.some((group) => isOf(group)(invoice)));
  return { groups: next, invoices: new Map(rest) };
}

/**
 * Deselecting one invoice of a fully selected group leaves the others selected one by one.
 * @param siblings the invoices of the group that are on the screen
 */
export function tickInvoice(
  { groups, invoices }: Selection,
  group: InvoiceGroup,
  invoice: Invoice,
  siblings: readonly Invoice[],
): Selection {
  const [nextGroups, next] = [new Map(groups), new Map(invoices)];
  if (nextGroups.delete(groupKey(group))) {
    for (const sibling of siblings) next.set(sibling.id, sibling);
    next.delete(invoice.id);
  } else if (!next.delete(invoice.id)) {
    next.set(invoice.id, invoice);
  }
  return { groups: nextGroups, invoices: next };
}

/** The selection with current figures from the screen, without groups that have left it. */
export function refreshed(
  { groups, invoices }: Selection,
  shownGroups: readonly InvoiceGroup[],
  shownInvoices: ReadonlyMap<string, Invoice>,
): Selection {
  const kept = shownGroups.filter((group) => groups.has(groupKey(group)));
  return {
    groups: new Map(kept.map((group) => [groupKey(group), group])),
    invoices: new Map([...invoices].map(([id, invoice]) => [id, shownInvoices.get(id) ?? invoice])),
  };
}
