import type { BotPace } from '../../../core/outbox/bot-pace.ts';
import { MESSAGE_LEASE_MS, sendMessage } from '../../../core/outbox/send-message.ts';
import { escapeHtml } from '../../../core/outbox/texts/markup.ts';
import type { TelegramGateway } from '../../../integrations/telegram/gateway.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { startDueLoop } from '../../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { type ClaimedPersonMessage, claimPersonMessages, PERSON_MESSAGES } from './person-messages.store.ts';

/** Interval between checks for due messages without a wake-up. */
const LOOK_EVERY_MS = 1_000;

export interface PersonSenderDeps {
  db: Database;
  telegram: TelegramGateway;
  /** Of the whole bot, which writes to others as well. */
  pace: BotPace;
  log: Logger;
  now: () => number;
  lookEveryMs?: number;
}

/** Sends what the platform's bot writes to people of the console, alongside the senders of other workers. */
export function startPersonMessageSender({
  db,
  telegram,
  pace,
  log,
  now,
  lookEveryMs = LOOK_EVERY_MS,
}: PersonSenderDeps): WorkLoop {
  const sending = {
    db,
    actor: WORKER_ACTOR,
    rows: PERSON_MESSAGES,
    pace,
    log,
    now: () => new Date(now()),
  };
  return startDueLoop<ClaimedPersonMessage>({
    name: 'messages to people',
    everyMs: lookEveryMs,
    log,
    async claim(underWay) {
      const limit = pace.room(underWay);
      if (limit === 0) return { rows: [], waitMs: pace.waitMs() };
      const { claimed, mootIds } = await pace.within(limit, async () => {
        const taken = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
          claimPersonMessages(tx, { at: new Date(now()), limit, leaseMs: MESSAGE_LEASE_MS }),
        );
        return { ...taken, count: taken.claimed.length };
      });
      if (mootIds.length > 0) log.info({ messages: mootIds }, 'messages to people withdrawn');
      return { rows: claimed, goesOn: claimed.length + mootIds.length > 0 };
    },
    work: (message) =>
      sendMessage(sending, message, () =>
        telegram.send({ chatId: message.chatId, text: escapeHtml(message.text) }),
      ),
    describe: ({ id }) => ({ message: id }),
  });
}
