import type { RefusalCode } from '@copydesk/contract/audit';
import type { Database } from '../../db/database.ts';
import { createCollectedRefusals } from './collect-refusals.ts';
import { countAttempts } from './refused-attempts.store.ts';

/** Writes what a worker noticed into the security log: no call, caller or address is behind it. */
export async function recordRefusal(db: Database, code: RefusalCode, at: Date): Promise<void> {
  const collected = createCollectedRefusals();
  collected.add({ code, call: null, caller: null, address: null, requestId: null }, at);
  await countAttempts(db, collected.take());
}
