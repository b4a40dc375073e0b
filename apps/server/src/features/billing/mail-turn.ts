import { retryDelayMs } from '@copydesk/domain';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Mailer } from '../../platform/identity/mailer.ts';
import { WORKER_ACTOR } from '../../platform/jobs/worker-actor.ts';
import type { Logger } from '../../platform/log/log.ts';
import { claimMail, recordMail } from './reminders.store.ts';

/** Longer than a mail server takes: only one worker sends a mail. */
const LEASE_MS = 5 * 60_000;

/** Sends one e-mail about a subscription. Returns whether more may be waiting. */
export async function takeMailTurn({
  db,
  mailer,
  log,
  now,
}: {
  db: Database;
  mailer: Mailer;
  log: Logger;
  now: () => Date;
}): Promise<boolean> {
  const mail = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    claimMail(tx, { at: now(), leaseMs: LEASE_MS }),
  );
  if (!mail) return false;
  const { id, email, subject, body, attempts } = mail;
  const record = (outcome: Parameters<typeof recordMail>[2]) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => recordMail(tx, id, outcome));
  if (email === null) {
    await record({ state: 'failed', at: now() });
    return true;
  }
  try {
    await mailer({ to: email, subject, text: body, messageId: `<billing-${id}@copydesk>` });
  } catch (error) {
    const delayMs = retryDelayMs(attempts + 1);
    // The error may quote the address or the server's credentials.
    log.warn(
      { mail: id, problem: (error as { code?: string }).code ?? 'unknown' },
      'a billing e-mail failed',
    );
    await record(
      delayMs === null
        ? { state: 'failed', at: now() }
        : { state: 'queued', at: now(), retryAt: new Date(now().getTime() + delayMs) },
    );
    return true;
  }
  await record({ state: 'sent', at: now() });
  return true;
}
