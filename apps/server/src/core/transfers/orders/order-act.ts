import type { OrderContent } from '@copydesk/domain/access';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { StoredOrder } from './orders.store.ts';

/** What one act does with its orders. Its feature registers it. */
export interface OrderAct {
  /** Takes the locks of what the order is about, before the order itself is locked. */
  lock(tx: WriteTx, order: StoredOrder): Promise<void>;
  /** The text about a line that is no longer possible. */
  gone?: string;
  /** What the order would do now; null: it is no longer possible. */
  present(tx: WriteTx, order: StoredOrder): Promise<OrderContent | null>;
  /** Carries out an approved order. */
  carryOut(tx: WriteTx, order: StoredOrder): Promise<void>;
  /** Undoes what was kept for the order while it waited; left out: nothing is. */
  drop?(tx: WriteTx, order: StoredOrder): Promise<void>;
}
