import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from '@copydesk/domain/messages';
import { type BotPace, createBotPace } from '../../core/outbox/bot-pace.ts';
import { renderWalletQuestion } from '../../core/outbox/render-notice.ts';
import { TelegramError, type TelegramGateway } from '../../integrations/telegram/gateway.ts';
import { isDatabaseGone } from '../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import {
  type ClaimedMessage,
  claimMessages,
  type Delivery,
  recordDelivery,
} from './message-delivery.store.ts';

/** Longer than the timeouts of the bot and the retries of the database, so only one worker sends a message. */
const LEASE_MS = 60_000;
/** Answers take tenths of a second: this many in progress reach 25 a second. */
const AT_ONCE = 16;
/** Interval between checks for due messages without a wake-up. */
const LOOK_EVERY_MS = 1_000;
/** Recording a sent message is retried as long as its lease allows, because an unrecorded message is sent again. */
const SETTLE_PAUSES_MS = [100, 1_000, 5_000, 10_000];

export interface SenderDeps {
  db: Database;
  telegram: TelegramGateway;
  /** Messages per second over all chats. */
  perSecond: number;
  log: Logger;
  now: () => number;
  leaseMs?: number;
  lookEveryMs?: number;
}

/** Sends due messages while it runs, alongside the senders of other workers. */
export function startMessageSender(deps: SenderDeps): WorkLoop {
  const { db, log, now, perSecond, leaseMs = LEASE_MS, lookEveryMs = LOOK_EVERY_MS } = deps;
  const pace = createBotPace({ perSecond, atOnce: AT_ONCE, now });
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  async function settle(message: ClaimedMessage, delivery: Delivery): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const isOurs = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
          recordDelivery(tx, message, { at: new Date(now()), delivery }),
        );
        if (!isOurs)
          log.warn({ message: message.id, state: delivery.state }, 'another sender has taken over a message');
        return;
      } catch (error) {
        const pauseMs = SETTLE_PAUSES_MS[attempt];
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs);
      }
    }
  }

  function begin(message: ClaimedMessage): void {
    const sending: Promise<void> = deliverMessage({ ...deps, pace }, message)
      .then((delivery) => settle(message, delivery))
      // The lease expires, and the message is due again.
      .catch((error) =>
        log[isDatabaseGone(error) ? 'warn' : 'error'](
          { err: error, message: message.id },
          'sending a message failed',
        ),
      )
      .finally(() => {
        underWay.delete(sending);
        loop.wake();
      });
    underWay.add(sending);
  }

  async function turn(): Promise<boolean> {
    clearTimeout(timer);
    const limit = pace.room(underWay.size);
    if (limit === 0) {
      const waitMs = pace.waitMs();
      if (waitMs > 0) timer = setTimeout(() => loop.wake(), waitMs);
      return false;
    }
    const { claimed, mootIds } = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
      claimMessages(tx, { at: new Date(now()), limit, leaseMs }),
    );
    if (mootIds.length > 0)
      log.info({ messages: mootIds }, 'messages withdrawn: their amounts are no longer owed');
    pace.began(claimed.length);
    for (const message of claimed) begin(message);
    return claimed.length + mootIds.length > 0;
  }

  const loop = startWorkLoop({ name: 'messages', everyMs: lookEveryMs, turn, log });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}

/** Tries to send a message once and returns the outcome. */
async function deliverMessage(
  { telegram, pace, now }: { telegram: TelegramGateway; pace: BotPace; now: () => number },
  { chat_id: chatId, text: written, attempts, language, question }: ClaimedMessage,
): Promise<Delivery> {
  if (chatId === null) return { state: 'failed', problem: 'no_chat', detail: null };
  try {
    const asked = question && { ...question, payableFrom: new Date(question.payableFrom) };
    const message = asked ? renderWalletQuestion(asked, { language }) : { text: written };
    const { messageId } = await telegram.send({ chatId, ...message });
    pace.answered();
    return { state: 'sent', telegramMessageId: messageId, text: message.text };
  } catch (error) {
    // Any other error is a fault of ours that may pass; the worker logs it.
    if (!(error instanceof TelegramError)) throw error;
    const { code, isRetryable, retryAfterMs, detail } = error;
    if (code === 'unavailable') pace.unanswered();
    else pace.answered();
    if (retryAfterMs !== null) pace.pause(retryAfterMs);
    const delayMs = isRetryable ? retryDelayMs(attempts + 1) : null;
    if (delayMs === null) return { state: 'failed', problem: code, detail };
    return { state: 'queued', problem: code, detail, retryAt: new Date(now() + (retryAfterMs ?? delayMs)) };
  }
}
