import { stopPayments } from '../core/transfers/transfer-gate.store.ts';
import { freezeEvery } from '../features/transfers/wallets/frozen-wallets.store.ts';
import { type Database, WHOLE_SCOPE } from '../platform/db/database.ts';
import { endEverySession } from '../platform/identity/sessions.store.ts';
import { forgetWaitingMails } from '../platform/mail/mails.store.ts';
import { RESTORED } from './after-restore.ts';

const OPERATOR = { kind: 'system', id: 'operator', name: 'Operator' } as const;

/**
 * Makes a restored database safe to start: its wallets may have sent transfers that it does not know, so all are frozen
 * and payments stop; sessions that had ended since the backup would be back, so all end; and mails that waited then were
 * sent since.
 */
export function secureRestored(
  db: Database,
  { takenAt, now }: { takenAt: string; now: () => Date },
): Promise<{ wallets: number; sessions: number }> {
  return db.write(WHOLE_SCOPE, OPERATOR, async (tx) => {
    await stopPayments(tx, { origin: 'command', reason: RESTORED });
    const wallets = await freezeEvery(tx, 'restored', now());
    const sessions = await endEverySession(tx, now());
    await forgetWaitingMails(tx);
    tx.audit({
      action: 'database.restored',
      target: { kind: 'database', id: 'copydesk' },
      after: { backup_of: takenAt, frozen_wallets: wallets, ended_sessions: sessions },
    });
    return { wallets, sessions };
  });
}
