import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { groupKey } from './held-page.ts';

/** A line of the list: a group, what it holds when it is unfolded, or what is to be said in that place. */
export type TreeRow =
  | { kind: 'group'; group: InvoiceGroup; isExpanded: boolean }
  | { kind: 'invoice'; group: InvoiceGroup; invoice: Invoice }
  | { kind: 'pending'; group: InvoiceGroup }
  | { kind: 'failed'; group: InvoiceGroup; error: unknown; retry(): void }
  | { kind: 'more'; group: InvoiceGroup; left: number };

/** What is known of the invoices of an unfolded group, in steps as they were asked for. */
export interface Unfolded {
  steps: readonly { data: readonly Invoice[] | undefined; error: unknown; retry(): void }[];
}

/**
 * The list as lines. A step on its way takes as many lines as it will bring, so that nothing moves when it arrives.
 * @param stepRows invoices of one step
 */
export function treeRows(
  groups: readonly InvoiceGroup[],
  unfoldedOf: (key: string) => Unfolded | undefined,
  stepRows: number,
): TreeRow[] {
  return groups.flatMap((group) => {
    const unfolded = unfoldedOf(groupKey(group));
    const head: TreeRow = { kind: 'group', group, isExpanded: unfolded !== undefined };
    if (!unfolded) return [head];
    const held = unfolded.steps.flatMap(({ data, error, retry }, step): TreeRow[] => {
      if (data) return data.map((invoice) => ({ kind: 'invoice', group, invoice }));
      if (error) return [{ kind: 'failed', group, error, retry }];
      const expected = Math.min(stepRows, Math.max(1, group.invoice_count - step * stepRows));
      return Array.from({ length: expected }, () => ({ kind: 'pending', group }));
    });
    const left = group.invoice_count - unfolded.steps.length * stepRows;
    return left > 0 ? [head, ...held, { kind: 'more', group, left }] : [head, ...held];
  });
}
