import type { ActHandlers } from '../acts/act-handlers.ts';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import type { Selection } from './selection.ts';

/** What the lines of the list can do, and what they have to know for it. */
export interface ListHandlers extends ActHandlers {
  isSuper: boolean;
  selection: Selection;
  onTickGroup(group: InvoiceGroup): void;
  onTickInvoice(group: InvoiceGroup, invoice: Invoice): void;
}
