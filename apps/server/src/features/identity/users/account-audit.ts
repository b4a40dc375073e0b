import type { Database } from '../../../platform/db/database.ts';
import type { OnAccountChange } from '../../../platform/identity/account-change.ts';
import type { Logger } from '../../../platform/log/log.ts';

/**
 * Records what people change about their own accounts. The identity service has made the change by then, in a
 * transaction of its own: when the entry cannot be written, the log says so and the change stays.
 */
export function createAccountAudit({ db, log }: { db: Database; log: Logger }): OnAccountChange {
  return async ({ action, user }) => {
    const actor = { kind: 'user', id: user.id, name: user.email } as const;
    try {
      await db.write({ kind: 'all' }, actor, async (tx) => {
        tx.audit({ action, target: { kind: 'user', id: user.id } });
      });
    } catch (error) {
      log.error({ err: error, action, userId: user.id }, 'audit entry of an account change was not written');
    }
  };
}
