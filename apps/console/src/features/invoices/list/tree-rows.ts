import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { groupKey } from './held-page.ts';
import { isOfStrangers } from './unknown-group.ts';

/** A group, a trader of the group without reference numbers, or their contents. */
type Level = 1 | 2 | 3;

/** A row of the list: a group, part of an unfolded group's contents, or a note in their place. */
export type TreeRow = { group: InvoiceGroup; level: Level } & (
  | { kind: 'group'; isExpanded: boolean }
  | { kind: 'invoice'; invoice: Invoice }
  | { kind: 'pending' }
  | { kind: 'failed'; error: unknown; retry(): void }
  | { kind: 'more'; left: number }
);

/** The loaded steps of an unfolded group. */
export interface Unfolded<Held = Invoice> {
  steps: readonly { data: readonly Held[] | undefined; error: unknown; retry(): void }[];
}

/** The contents of unfolded groups by their keys: their invoices, or traders with their invoices one level below. */
export interface UnfoldedGroups {
  invoicesOf(key: string): Unfolded | undefined;
  tradersOf(key: string): Unfolded<InvoiceGroup> | undefined;
}

/**
 * The list as rows. A loading step takes as many rows as it will bring, so that nothing moves when it arrives.
 * @param stepRows invoices or traders of one step
 */
export function treeRows(
  groups: readonly InvoiceGroup[],
  unfolded: UnfoldedGroups,
  stepRows: number,
  level: 1 | 2 = 1,
): TreeRow[] {
  return groups.flatMap((group) => {
    const key = groupKey(group);
    const below = level === 1 ? 2 : 3;
    const [held, count] = isOfStrangers(group)
      ? [
          unfolded.tradersOf(key)?.steps.map(({ data, ...step }) => ({
            ...step,
            rows: data && treeRows(data, unfolded, stepRows, 2),
          })),
          group.trader_count,
        ]
      : [
          unfolded.invoicesOf(key)?.steps.map(({ data, ...step }) => ({
            ...step,
            rows: data?.map((invoice): TreeRow => ({ kind: 'invoice', group, invoice, level: below })),
          })),
          group.invoice_count,
        ];
    const head: TreeRow = { kind: 'group', group, level, isExpanded: held !== undefined };
    if (!held) return [head];
    const lines = held.flatMap(({ rows, error, retry }, step): TreeRow[] => {
      if (rows) return rows;
      if (error) return [{ kind: 'failed', group, level: below, error, retry }];
      const expected = Math.min(stepRows, Math.max(1, count - step * stepRows));
      return Array.from({ length: expected }, () => ({ kind: 'pending', group, level: below }));
    });
    const left = count - held.length * stepRows;
    return left > 0 ? [head, ...lines, { kind: 'more', group, level: below, left }] : [head, ...lines];
  });
}
