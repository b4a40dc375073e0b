import type { Invoice } from '../invoices-queries.ts';
import type { Act } from './act.ts';

/** The actions that menus and bars request from the screen. */
export interface ActHandlers {
  onAct(act: Act): void;
  /** @param trader null when the invoice has no known trader to write to */
  onNotify(trader: Invoice['trader'] | null): void;
}
