import type { BotPace } from '../../core/outbox/bot-pace.ts';
import { renderWalletQuestion } from '../../core/outbox/render-notice.ts';
import { MESSAGE_LEASE_MS, MESSAGES, sendMessage } from '../../core/outbox/send-message.ts';
import type { TelegramGateway } from '../../integrations/telegram/gateway.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { startDueLoop } from '../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import { type ClaimedMessage, claimMessages } from './message-delivery.store.ts';

/** Interval between checks for due messages without a wake-up. */
const LOOK_EVERY_MS = 1_000;

export interface SenderDeps {
  db: Database;
  telegram: TelegramGateway;
  /** Of the whole bot, which writes to others as well. */
  pace: BotPace;
  log: Logger;
  now: () => number;
  leaseMs?: number;
  lookEveryMs?: number;
}

/** Sends due messages while it runs, alongside the senders of other workers. */
export function startMessageSender({
  db,
  telegram,
  pace,
  log,
  now,
  leaseMs = MESSAGE_LEASE_MS,
  lookEveryMs = LOOK_EVERY_MS,
}: SenderDeps): WorkLoop {
  const sending = {
    db,
    actor: WORKER_ACTOR,
    rows: MESSAGES,
    pace,
    log,
    now: () => new Date(now()),
  };
  return startDueLoop<ClaimedMessage>({
    name: 'messages',
    everyMs: lookEveryMs,
    log,
    async claim(underWay) {
      const limit = pace.room(underWay);
      if (limit === 0) return { rows: [], waitMs: pace.waitMs() };
      const { claimed, mootIds } = await pace.within(limit, async () => {
        const taken = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
          claimMessages(tx, { at: new Date(now()), limit, leaseMs }),
        );
        return { ...taken, count: taken.claimed.length };
      });
      if (mootIds.length > 0)
        log.info({ messages: mootIds }, 'messages withdrawn: their amounts are no longer owed');
      return { rows: claimed, goesOn: claimed.length + mootIds.length > 0 };
    },
    work: (message) => sendMessage(sending, message, sendingOf(telegram, message)),
    describe: ({ id }) => ({ message: id }),
  });
}

function sendingOf(telegram: TelegramGateway, { chatId, text: written, language, question }: ClaimedMessage) {
  if (chatId === null) return null;
  const asked = question && { ...question, payableFrom: new Date(question.payableFrom) };
  const message = asked ? renderWalletQuestion(asked, { language }) : { text: written };
  return async () => ({ ...(await telegram.send({ chatId, ...message })), text: message.text });
}
