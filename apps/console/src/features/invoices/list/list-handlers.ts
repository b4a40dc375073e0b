import type { ActHandlers } from '../acts/act-handlers.ts';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import type { Selection } from './selection.ts';

/** The actions of the list's rows, and the state that they need. */
export interface ListHandlers extends ActHandlers {
  isSuper: boolean;
  selection: Selection;
  onTickGroup(group: InvoiceGroup): void;
  onTickInvoice(group: InvoiceGroup, invoice: Invoice): void;
}
