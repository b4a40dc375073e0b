import { freezeEvery } from '../features/transfers/wallets/frozen-wallets.store.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { secure } from './after-restore.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

/** Makes a restored database safe to start: its wallets may have sent transfers that it does not know, so all freeze. */
export function secureRestored(
  db: Database,
  { takenAt, now }: { takenAt: string; now: () => Date },
): Promise<{ wallets: number; sessions: number }> {
  return db.write(WHOLE_SCOPE, OPERATOR, async (tx) => {
    const wallets = await freezeEvery(tx, 'restored', now());
    const sessions = await secure(tx, now());
    tx.audit({
      action: 'database.restored',
      target: { kind: 'database', id: 'copydesk' },
      after: { backup_of: takenAt, frozen_wallets: wallets, ended_sessions: sessions },
    });
    return { wallets, sessions };
  });
}
