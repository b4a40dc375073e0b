import type { Keyring } from '../../platform/crypto/keyring.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import { queueMail } from '../../platform/mail/mailer.ts';
import { lockMail, recordMail } from './reminders.store.ts';

/**
 * Gives one e-mail about a subscription its address, and hands it over to the mails that wait, in one transaction. Its
 * row stays, so that the fact is reported once. Returns whether more may be waiting.
 */
export function handOverMail({
  db,
  keyring,
  now,
}: {
  db: Database;
  keyring: Keyring;
  now: () => Date;
}): Promise<boolean> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const at = now();
    const mail = await lockMail(tx, at);
    if (!mail) return false;
    const { id, email, subject, body } = mail;
    if (email !== null)
      await queueMail(tx, { keyring, at }, { kind: 'subscription', to: email, subject, text: body });
    await recordMail(tx, id, { state: email === null ? 'failed' : 'sent', at });
    return true;
  });
}
