import {
  ATTENTION,
  ATTENTION_KINDS,
  type AttentionKind,
  type Channel,
  isDigestDue,
  isMailedAtOnce,
  localHour,
  MAIL_PAUSE_MINUTES,
  newItems,
} from '@copydesk/domain/attention';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { readFlags } from '../../../platform/identity/present-scope.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { queueMail } from '../../../platform/work/mail/mailer.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { readAttention } from '../attention.service.ts';
import type { AttentionDeps } from '../attention.views.ts';
import { findChat } from '../telegram/person-chat.store.ts';
import { queuePersonMessage, takeUndelivered } from '../telegram/person-messages.store.ts';
import {
  listMailedPeople,
  lockMailed,
  type MailedPerson,
  readTimeZone,
  recordMailed,
} from './attention-mail.store.ts';
import { inChat, outOfChat, renderDigest, renderNews } from './attention-mail.texts.ts';

/** Items beyond this are mailed once they are among them: the most urgent come first, then the oldest. */
const MOST_LISTED = 1_000;

export interface MailDeps extends AttentionDeps {
  db: Database;
  keyring: Keyring;
  /** Whether e-mails can be sent at all. */
  hasMailer: boolean;
  /** Origin of the console, for links. */
  origin: string;
  log: Logger;
}

/**
 * Tells what waits for them to the people who asked for it, by mail or Telegram, each under its present rights: a digest
 * at its hour, and what is new and cannot wait.
 */
export async function mailAttention(deps: MailDeps): Promise<void> {
  const { db, log, hasMailer } = deps;
  if (hasMailer) await mailUndelivered(deps);
  for (const person of await db.read(WHOLE_SCOPE, listMailedPeople, WORKER_ACTOR)) {
    if (!hasMailer && person.channel === 'mail') continue;
    try {
      await mailTo(deps, person);
    } catch (error) {
      // A failure of one person's message must not stop those of the others.
      log.error({ err: error, userId: person.id }, 'what waits for a person was not told');
    }
  }
}

/** What a chat did not take: the person has not read it. */
async function mailUndelivered({ db, keyring, now }: MailDeps): Promise<void> {
  const at = now();
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    for (const { email, text } of await takeUndelivered(tx, at))
      await queueMail(tx, { keyring, at }, { kind: 'attention', to: email, ...outOfChat(text) });
  });
}

/** Problems of the chat itself: further messages are lost as well, until it is connected again. */
const CHAT_GONE: ReadonlySet<string | null> = new Set(['blocked', 'chat_not_found']);

interface Way {
  by: Channel;
  queue(written: { subject: string; text: string }, kind: 'digest' | 'news', fact: string): Promise<void>;
}

/** How a person is told now; null: in no way. */
async function findWay(
  tx: WriteTx,
  { keyring, hasMailer, at }: Pick<MailDeps, 'keyring' | 'hasMailer'> & { at: Date },
  { id, email, channel }: Pick<MailedPerson, 'id' | 'email' | 'channel'>,
): Promise<Way | null> {
  const chat = channel === 'telegram' ? await findChat(tx, id) : null;
  if (chat && !CHAT_GONE.has(chat.problem)) {
    const { telegramUserId } = chat;
    return {
      by: 'telegram',
      queue: (written, kind, fact) =>
        queuePersonMessage(
          tx,
          { userId: id, kind, telegramUserId, text: inChat(written), dedupeKey: `${kind}:${id}:${fact}` },
          at,
        ),
    };
  }
  if (!hasMailer) return null;
  return {
    by: 'mail',
    queue: (written) => queueMail(tx, { keyring, at }, { kind: 'attention', to: email, ...written }),
  };
}

async function mailTo(deps: MailDeps, person: MailedPerson): Promise<void> {
  const { db, origin } = deps;
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
    const { digestOn, mailedAt, channel } = before;
    const way = await findWay(tx, { ...deps, at }, { ...person, channel });
    if (!way) return;
    const { by, queue } = way;
    const mailed = before.mailed.filter((key) => keys.has(key));
    const fresh = newItems([...keys.keys()], before.mailed);
    if (mayDigest && isDigestDue(before, local)) {
      // No digest is sent on a day without items.
      if (tabs.you > 0)
        await queue(renderDigest({ by, items, total: tabs.you, groups, origin, at }), 'digest', local.day);
      await recordMailed(tx, person.id, {
        digestOn: local.day,
        mailedAt: tabs.you > 0 ? at : mailedAt,
        mailed: [...keys.keys()],
      });
    } else if (fresh.length > 0 && !isPaused(mailedAt, at)) {
      const news = fresh.map((key) => keys.get(key) as (typeof items)[number]);
      await queue(renderNews({ by, items: news, total: news.length, origin, at }), 'news', at.toISOString());
      await recordMailed(tx, person.id, { digestOn, mailedAt: at, mailed: [...mailed, ...fresh] });
    } else if (mailed.length < before.mailed.length) await recordMailed(tx, person.id, { ...before, mailed });
  });
}

const isPaused = (mailedAt: Date | null, at: Date) =>
  mailedAt !== null && at.getTime() - mailedAt.getTime() < MAIL_PAUSE_MINUTES * 60_000;
