import { UNKNOWN_REFERENCE } from '@copydesk/domain/invoices';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';

type Named = Pick<InvoiceGroup, 'reference_number' | 'trader'>;

/**
 * All traders without a reference number together. They have nothing else in common, so no action applies to them as
 * one group.
 */
export const isOfStrangers = ({ reference_number, trader }: Named) =>
  reference_number === UNKNOWN_REFERENCE && trader === null;

/** One trader without a reference number. */
export const isOfOneStranger = ({ reference_number, trader }: Named) =>
  reference_number === UNKNOWN_REFERENCE && trader !== null;

export const referenceOf = ({ trader }: Pick<Invoice, 'trader'>) =>
  trader.reference_number ?? UNKNOWN_REFERENCE;

/** Ids of the selected traders without a reference number. The server acts on one of them at a time. */
export function strangersIn({
  groups,
  invoices,
}: {
  groups: readonly InvoiceGroup[];
  invoices: readonly Invoice[];
}): ReadonlySet<string> {
  return new Set([
    ...groups.filter(isOfOneStranger).map(({ trader }) => trader?.id ?? ''),
    ...invoices
      .filter((invoice) => referenceOf(invoice) === UNKNOWN_REFERENCE)
      .map(({ trader }) => trader.id),
  ]);
}
