import { type DueBillingReminder, dueBillingReminders } from '@copydesk/domain/billing';
import type { OwnerLinks } from '../../core/outbox/owner-link.ts';
import { queueOwnerMessage } from '../../core/outbox/queue-messages.store.ts';
import { renderBillingNotice } from '../../core/outbox/render-billing-notice.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { queueMail } from '../../platform/work/mail/mailer.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { reminderMail } from './reminder-mail.ts';
import { findOwner, isReported, lockMail, queueMails, recordMail } from './reminders.store.ts';
import { listNearEnd } from './subscriptions.views.ts';

const BATCH = 200;

export interface ReminderDeps {
  db: Database;
  now: () => Date;
  graceDays: number;
  /** Whether e-mails can be sent at all: otherwise none are written. */
  hasMailer: boolean;
  /** Origin of the console, for links in e-mails. */
  origin: string;
  /** For owners, who have no account. */
  links: OwnerLinks;
}

/** Reports what is due about subscriptions: to owners by Telegram, to staff by e-mail, once each. */
export async function remindOfSubscriptions(deps: ReminderDeps): Promise<void> {
  const { db, now, graceDays } = deps;
  let after: string | null = null;
  do {
    after = await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const batch = await listNearEnd(tx, { after, limit: BATCH });
      for (const { subscriptionId, communityId, community, ...held } of batch) {
        if (subscriptionId === null) continue;
        const due = dueBillingReminders({ ...held, id: subscriptionId }, { now: now(), graceDays });
        for (const reminder of due) await report(deps, tx, { communityId, community }, reminder);
      }
      return batch.length < BATCH ? null : (batch.at(-1)?.communityId ?? null);
    });
  } while (after !== null);
}

async function report(
  { hasMailer, origin, links }: ReminderDeps,
  tx: WriteTx,
  { communityId, community }: { communityId: string; community: string },
  { kind, key, at }: DueBillingReminder,
): Promise<void> {
  const earlier = await isReported(tx, key);
  const owner = earlier.byMessage ? null : await findOwner(tx, communityId);
  if (owner?.hasChat)
    await queueOwnerMessage(tx, {
      communityId,
      kind,
      language: owner.language,
      text: renderBillingNotice(kind, { community, at, link: links.urlOf(communityId) }, owner),
      dedupeKey: key,
      isReachable: true,
    });
  // A person who becomes an owner later is told of later facts only.
  if (hasMailer && !earlier.byMail)
    await queueMails(tx, {
      communityId,
      kind,
      key,
      ...reminderMail(kind, { communityId, community, at, origin }),
    });
}

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
