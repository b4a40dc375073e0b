import type { InvoiceGroup } from '../invoices-queries.ts';
import { isOfOneStranger } from './unknown-group.ts';

/**
 * Identifies a group by name and place: a trader may have one in the archive and one outside, and groups without a
 * reference number differ by their trader's id.
 */
export const groupKey = (group: InvoiceGroup) =>
  `${group.is_archived ? 'archived' : 'open'} ${group.reference_number}${
    isOfOneStranger(group) ? ` ${group.trader?.id}` : ''
  }`;

/**
 * Updates rows while the reader is busy with them: rows on the screen keep their positions and show current figures. A
 * change of the page's composition is only flagged.
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
