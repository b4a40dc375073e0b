import { useCallback, useMemo, useState } from 'react';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import {
  ALL_MATCHING,
  extentOf,
  NOTHING_SELECTED,
  refreshed,
  type Selection,
  tickGroups,
  tickInvoice,
} from './selection.ts';
import type { TreeRow } from './tree-rows.ts';
import { isOfStrangers } from './unknown-group.ts';

interface Kept {
  key: string;
  selection: Selection;
}

interface Shown {
  groups: readonly InvoiceGroup[];
  /** Groups that contain invoices directly, unfolded traders among them. */
  holders: readonly InvoiceGroup[];
}

/** The selection on a page. A new page, filter or order clears it. */
export function useSelection(key: string, { groups, holders }: Shown, rows: readonly TreeRow[]) {
  const [kept, setKept] = useState<Kept>({ key, selection: NOTHING_SELECTED });
  const selection = useMemo(() => {
    if (kept.key !== key) return NOTHING_SELECTED;
    const shown = rows.flatMap((row) =>
      row.kind === 'invoice' ? [[row.invoice.id, row.invoice] as const] : [],
    );
    return refreshed(kept.selection, holders, new Map(shown));
  }, [kept, key, holders, rows]);

  const set = useCallback((next: Selection) => setKept({ key, selection: next }), [key]);
  return {
    selection,
    clear: useCallback(() => set(NOTHING_SELECTED), [set]),
    selectAll: useCallback(() => set(ALL_MATCHING), [set]),
    onTickGroup: useCallback(
      (group: InvoiceGroup) => set(tickGroups(selection, [group], extentOf(selection, group) !== 'all')),
      [set, selection],
    ),
    onTickInvoice: useCallback(
      (group: InvoiceGroup, invoice: Invoice) => {
        const siblings = rows.flatMap((row) =>
          row.kind === 'invoice' && row.group === group ? [row.invoice] : [],
        );
        set(tickInvoice(selection, group, invoice, siblings));
      },
      [set, selection, rows],
    ),
    onTickPage: useCallback(
      (isOn: boolean) =>
        set(
          tickGroups(
            selection,
            groups.filter((group) => !isOfStrangers(group)),
            isOn,
          ),
        ),
      [set, selection, groups],
    ),
  };
}
