import type { RevealBurst } from '@copydesk/domain/access';
import type { Actor } from '../../../platform/audit/audit.ts';
import { entryOf } from '../../../platform/audit/security-log/refusal.ts';
import type { SecurityLog } from '../../../platform/audit/security-log/security-log.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { HttpRequest } from '../../../platform/http/handlers.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Mailer } from '../../../platform/work/mail/mailer.ts';
import { listSuperAdminEmails } from './reveals.store.ts';

const BECAUSE: Record<RevealBurst, string> = {
  reasons:
    'has given a second reason within an hour to reveal the secrets of more than twenty exchange accounts',
  accounts: 'has revealed the secrets of more than fifty exchange accounts within a day',
};

export type RevealAlarm = (burst: RevealBurst, actor: Actor, request: HttpRequest) => Promise<void>;

/**
 * Tells the super admins that a person reveals unusually many secrets: in the security log, and by mail. The answer waits
 * for neither, and does not depend on them; the row of the reveal, which the figures count, is committed before.
 */
export function createRevealAlarm({
  db,
  mailer,
  log,
  securityLog,
}: {
  db: Database;
  mailer: Mailer | null;
  log: Logger;
  securityLog: Pick<SecurityLog, 'note'>;
}): RevealAlarm {
  return async (burst, actor, request) => {
    log.warn({ burst, userId: actor.id }, 'a person reveals the secrets of unusually many accounts');
    securityLog.note(entryOf('reveal_burst', request));
    if (!mailer) return;
    const subject = 'Unusually many exchange secrets were revealed';
    const text = `${actor.name} ${BECAUSE[burst]}.\n\nThe audit lists which. If you do not know why, end the sessions of this account or disable it under People, and have the keys replaced.\n`;
    try {
      const emails = await db.read(WHOLE_SCOPE, listSuperAdminEmails);
      const sent = await Promise.allSettled(
        emails.map((to) => mailer.send({ kind: 'reveal_alarm', to, subject, text })),
      );
      for (const each of sent)
        if (each.status === 'rejected')
          log.error({ err: each.reason }, 'the mail about revealed secrets failed');
    } catch (error) {
      log.error({ err: error }, 'the mails about revealed secrets failed');
    }
  };
}
