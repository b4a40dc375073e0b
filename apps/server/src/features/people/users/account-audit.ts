import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { OnAccountChange } from '../../../platform/identity/account-change.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Mailer } from '../../../platform/work/mail/mailer.ts';
import { createOwnChangeMail } from './account-mail.ts';

/**
 * Records changes that people make to their own accounts, and mails those of how they sign in. The identity service has
 * already made the change in its own transaction: if the entry cannot be written, the log reports it and the change
 * remains.
 */
export function createAccountAudit({
  db,
  log,
  mailer,
}: {
  db: Database;
  log: Logger;
  mailer: Mailer | null;
}): OnAccountChange {
  const mailAbout = createOwnChangeMail({ mailer, log });
  return async ({ action, user, after }) => {
    const actor = { kind: 'user', id: user.id, name: user.email } as const;
    try {
      const send = await db.write(WHOLE_SCOPE, actor, async (tx) => {
        tx.audit({ action, target: { kind: 'user', id: user.id }, ...(after && { after }) });
        return mailAbout(tx, user.email, action);
      });
      send();
    } catch (error) {
      log.error({ err: error, action, userId: user.id }, 'audit entry of an account change was not written');
    }
  };
}
