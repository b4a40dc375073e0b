import type { Invoice } from '../invoices-queries.ts';
import type { Act } from './act.ts';

/** What menus and bars ask of the screen. */
export interface ActHandlers {
  onAct(act: Act): void;
  /** @param trader null where nobody is known to write to */
  onNotify(trader: Invoice['trader'] | null): void;
}
