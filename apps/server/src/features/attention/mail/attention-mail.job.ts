import {
  ATTENTION,
  ATTENTION_KINDS,
  type AttentionKind,
  isDigestDue,
  isMailedAtOnce,
  localHour,
  MAIL_PAUSE_MINUTES,
  newItems,
} from '@copydesk/domain/attention';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { readFlags } from '../../../platform/identity/present-scope.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { queueMail } from '../../../platform/work/mail/mailer.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { readAttention } from '../attention.service.ts';
import type { AttentionDeps } from '../attention.views.ts';
import {
  listMailedPeople,
  lockMailed,
  type MailedPerson,
  readTimeZone,
  recordMailed,
} from './attention-mail.store.ts';
import { digestMail, newsMail } from './attention-mail.texts.ts';

/** Items beyond this are mailed once they are among them: the most urgent come first, then the oldest. */
const MOST_LISTED = 1_000;

export interface MailDeps extends AttentionDeps {
  db: Database;
  keyring: Keyring;
  /** Origin of the console, for links. */
  origin: string;
  log: Logger;
}

/**
 * Mails what waits for them to the people who asked for it, each under its present rights: a digest at its hour, and what
 * is new and cannot wait.
 */
export async function mailAttention(deps: MailDeps): Promise<void> {
  const { db, log } = deps;
  for (const person of await db.read(WHOLE_SCOPE, listMailedPeople, WORKER_ACTOR))
    try {
      await mailTo(deps, person);
    } catch (error) {
      // A failure of one person's mail must not stop the mails of the others.
      log.error({ err: error, userId: person.id }, 'what waits for a person was not mailed');
    }
}

async function mailTo(deps: MailDeps, person: MailedPerson): Promise<void> {
  const { db, keyring, origin } = deps;
  const at = deps.now();
  const actor = { kind: 'user', id: person.id, name: person.name } as const;
  const [flags, timeZone] = await db.read(
    WHOLE_SCOPE,
    (tx) => Promise.all([readFlags(tx, person.id), readTimeZone(tx, person.id)]),
    actor,
  );
  if (!flags) return;
  const isAtOnce = (kind: AttentionKind) => isMailedAtOnce(person.atOnce, ATTENTION[kind]);
  const local = localHour(at, timeZone);
  const mayDigest = isDigestDue({ digestHour: person.digestHour, digestOn: null }, local);
  const wanted = mayDigest ? ATTENTION_KINDS : ATTENTION_KINDS.filter(isAtOnce);
  if (wanted.length === 0) return;
  const { items, tabs, groups } = await readAttention(
    deps,
    { flags, actor },
    { kinds: wanted, tab: 'you', limit: MOST_LISTED, offset: 0 },
  );
  const keys = new Map(
    items
      .filter(({ kind }) => isAtOnce(kind))
      .map((item) => [`${item.kind} ${item.subject} ${item.since}`, item]),
  );
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const before = await lockMailed(tx, person.id);
    if (!before) return;
    const { digestOn, mailedAt } = before;
    const mailed = before.mailed.filter((key) => keys.has(key));
    const fresh = newItems([...keys.keys()], before.mailed);
    const queue = ({ subject, text }: { subject: string; text: string }) =>
      queueMail(tx, { keyring, at }, { kind: 'attention', to: person.email, subject, text });
    if (mayDigest && isDigestDue(before, local)) {
      // No digest is sent on a day without items.
      if (tabs.you > 0) await queue(digestMail({ items, total: tabs.you, groups, origin, at }));
      await recordMailed(tx, person.id, {
        digestOn: local.day,
        mailedAt: tabs.you > 0 ? at : mailedAt,
        mailed: [...keys.keys()],
      });
    } else if (fresh.length > 0 && !isPaused(mailedAt, at)) {
      const news = fresh.map((key) => keys.get(key) as (typeof items)[number]);
      await queue(newsMail({ items: news, total: news.length, origin, at }));
      await recordMailed(tx, person.id, { digestOn, mailedAt: at, mailed: [...mailed, ...fresh] });
    } else if (mailed.length < before.mailed.length) await recordMailed(tx, person.id, { ...before, mailed });
  });
}

const isPaused = (mailedAt: Date | null, at: Date) =>
  mailedAt !== null && at.getTime() - mailedAt.getTime() < MAIL_PAUSE_MINUTES * 60_000;
