import type { InvoiceGroup } from '../invoices-queries.ts';
import { isOfOneStranger } from './unknown-group.ts';

/**
 * A group by name and place: the same trader may have one in the archive and one outside, and those without a
 * reference number differ by their id.
 */
export const groupKey = (group: InvoiceGroup) =>
  `${group.is_archived ? 'archived' : 'open'} ${group.reference_number}${
    isOfOneStranger(group) ? ` ${group.trader?.id}` : ''
  }`;

/**
 * Rows that were read anew under the hands of who looks at them: those on the screen stay where they are and show
 * what is true now; that others belong there is only noted.
 */
export function holdPage(
  shown: readonly InvoiceGroup[],
  fresh: readonly InvoiceGroup[],
): { rows: InvoiceGroup[]; isOutdated: boolean } {
  const byKey = new Map(fresh.map((group) => [groupKey(group), group]));
  const isSame =
    shown.length === fresh.length &&
    shown.every((group, index) => groupKey(group) === groupKey(fresh[index] as InvoiceGroup));
  return { rows: shown.map((group) => byKey.get(groupKey(group)) ?? group), isOutdated: !isSame };
}
