import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { groupKey } from './held-page.ts';
import { isOfOneStranger, referenceOf } from './unknown-group.ts';

/**
 * The selection: whole groups, and single invoices of groups that are not selected as a whole; or all groups that match,
 * less some.
 */
export interface Selection {
  /** What is left out of all that match, by reference number with its trader; null: not all are selected. */
  allBut: ReadonlyMap<string, string> | null;
  groups: ReadonlyMap<string, InvoiceGroup>;
  invoices: ReadonlyMap<string, Invoice>;
}

export const NOTHING_SELECTED: Selection = {
  allBut: null,
  groups: new Map(),
  invoices: new Map(),
};
/** All that match, on every page. Traders without a reference number have nothing in common and are not among them. */
export const ALL_MATCHING: Selection = { ...NOTHING_SELECTED, allBut: new Map() };

const isOf = (group: InvoiceGroup) => (invoice: Invoice) =>
  referenceOf(invoice) === group.reference_number &&
  invoice.is_archived === group.is_archived &&
  (!isOfOneStranger(group) || group.trader?.id === invoice.trader.id);

export function isEmpty({ allBut, groups, invoices }: Selection): boolean {
  return allBut === null && groups.size === 0 && invoices.size === 0;
}

/** How much of a group is selected. */
export function extentOf(selection: Selection, group: InvoiceGroup): 'all' | 'some' | 'none' {
  if (selection.allBut) return isAmongAll(selection.allBut, group) ? 'all' : 'none';
  if (selection.groups.has(groupKey(group))) return 'all';
  return [...selection.invoices.values()].some(isOf(group)) ? 'some' : 'none';
}

export function isTicked(selection: Selection, group: InvoiceGroup, invoice: Invoice): boolean {
  if (selection.allBut) return isAmongAll(selection.allBut, group);
  return selection.groups.has(groupKey(group)) || selection.invoices.has(invoice.id);
}

const isAmongAll = (allBut: ReadonlyMap<string, string>, group: InvoiceGroup) =>
  group.reference_number !== UNKNOWN_REFERENCE && !allBut.has(group.reference_number);

/** Selecting a whole group replaces the selection of its invoices. */
export function tickGroups(
  { allBut, groups, invoices }: Selection,
  changed: readonly InvoiceGroup[],
  isOn: boolean,
): Selection {
  if (allBut) {
    const out = new Map(allBut);
    for (const { reference_number: reference, trader } of changed) {
      if (isOn) out.delete(reference);
      else if (trader) out.set(reference, trader.id);
    }
    return { ...ALL_MATCHING, allBut: out };
  }
  const next = new Map(groups);
  for (const group of changed) {
    if (isOn) next.set(groupKey(group), group);
    else next.delete(groupKey(group));
  }
  const rest = [...invoices].filter(([, invoice]) => !changed.some((group) => isOf(group)(invoice)));
  return { allBut, groups: next, invoices: new Map(rest) };
}

/**
 * Deselecting one invoice of a fully selected group leaves the others selected one by one.
 * @param siblings the invoices of the group that are on the screen
 */
export function tickInvoice(
  selection: Selection,
  group: InvoiceGroup,
  invoice: Invoice,
  siblings: readonly Invoice[],
): Selection {
  const { allBut, groups, invoices } = selection;
  // Of all that match, whole groups are left out.
  if (allBut) return tickGroups(selection, [group], !isAmongAll(allBut, group));
  const [nextGroups, next] = [new Map(groups), new Map(invoices)];
  if (nextGroups.delete(groupKey(group))) {
    for (const sibling of siblings) next.set(sibling.id, sibling);
    next.delete(invoice.id);
  } else if (!next.delete(invoice.id)) {
    next.set(invoice.id, invoice);
  }
  return { allBut, groups: nextGroups, invoices: next };
}

/** The selection with current figures from the screen, without groups that have left it. */
export function refreshed(
  { allBut, groups, invoices }: Selection,
  shownGroups: readonly InvoiceGroup[],
  shownInvoices: ReadonlyMap<string, Invoice>,
): Selection {
  const kept = shownGroups.filter((group) => groups.has(groupKey(group)));
  return {
    allBut,
    groups: new Map(kept.map((group) => [groupKey(group), group])),
    invoices: new Map([...invoices].map(([id, invoice]) => [id, shownInvoices.get(id) ?? invoice])),
  };
}
