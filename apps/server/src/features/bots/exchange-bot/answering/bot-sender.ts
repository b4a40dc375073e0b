import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from '@copydesk/domain/messages';
import { TelegramError } from '../../../../integrations/telegram/gateway.ts';
import { isDatabaseGone } from '../../../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/observe/log.ts';
import { startWorkLoop, type WorkLoop } from '../../../../platform/work/work-loop.ts';
import { drawQrCode } from '../../telegram/qr-picture.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import {
  type BotDelivery,
  type ClaimedBotMessage,
  claimBotMessages,
  recordBotDelivery,
} from './bot-messages.store.ts';
import type { BotSession } from './bot-session.ts';

/** Longer than the timeouts of the bot and the retries of the database, so only one worker sends a message. */
const LEASE_MS = 60_000;
/** Recording a sent message is retried as long as its lease allows, because an unrecorded message is sent again. */
const SETTLE_PAUSES_MS = [100, 1_000, 5_000, 10_000];
/** A token that was just refused is replaced by a person, and the messages of the bot wait for it. */
const REFUSED_TOKEN = /^401\b/;
const AFTER_REFUSED_TOKEN_MS = 60_000;

interface BotSenderDeps {
  db: Database;
  log: Logger;
  now: () => Date;
  /** The bots that this worker reads, and alone writes for: so the limits of a bot are kept in one place. */
  sessions(): Iterable<BotSession>;
  lookEveryMs: number;
  leaseMs?: number;
}

/** Sends the messages of all bots of a worker: one query for all, whatever their number. */
export function startBotSender({
  db,
  log,
  now,
  sessions,
  lookEveryMs,
  leaseMs = LEASE_MS,
}: BotSenderDeps): WorkLoop {
  const underWay = new Map<string, Set<Promise<void>>>();
  let timer: NodeJS.Timeout | undefined;

  async function deliver({ client, pace }: BotSession, message: ClaimedBotMessage): Promise<BotDelivery> {
    const { chat_id: chatId, text, keyboard, qr_text: qrText, attempts } = message;
    const png = qrText === null ? null : await drawQrCode(qrText);
    try {
      const { messageId } = await client.send({ chatId, text, keyboard, png });
      pace.answered();
      return { state: 'sent', telegramMessageId: messageId };
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      const { code: problem, isRetryable, retryAfterMs, detail } = error;
      if (problem === 'unavailable') pace.unanswered();
      else pace.answered();
      if (retryAfterMs !== null) pace.pause(retryAfterMs);
      const isTokenRefused = problem === 'refused' && REFUSED_TOKEN.test(detail ?? '');
      if (isTokenRefused) pace.pause(AFTER_REFUSED_TOKEN_MS);
      const delayMs = isTokenRefused
        ? AFTER_REFUSED_TOKEN_MS
        : isRetryable
          ? (retryAfterMs ?? retryDelayMs(attempts + 1))
          : null;
      return delayMs === null
        ? { state: 'failed', problem, detail }
        : { state: 'queued', problem, detail, retryAt: new Date(now().getTime() + delayMs) };
    }
  }

  async function settle(message: ClaimedBotMessage, delivery: BotDelivery): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const isOurs = await db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) =>
          recordBotDelivery(tx, message, { at: now(), delivery }),
        );
        if (!isOurs) log.warn({ message: message.id }, 'another sender has taken over a message');
        return;
      } catch (error) {
        const pauseMs = SETTLE_PAUSES_MS[attempt];
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs);
      }
    }
  }

  function begin(session: BotSession, message: ClaimedBotMessage): void {
    const ofBot = underWay.get(message.bot_id) ?? new Set();
    underWay.set(message.bot_id, ofBot);
    const sending: Promise<void> = deliver(session, message)
      .then((delivery) => settle(message, delivery))
      // The lease expires, and the message is due again.
      .catch((error) =>
        log[isDatabaseGone(error) ? 'warn' : 'error'](
          { err: error, message: message.id },
          'sending a message of a bot failed',
        ),
      )
      .finally(() => {
        ofBot.delete(sending);
        loop.wake();
      });
    ofBot.add(sending);
  }

  async function turn(): Promise<boolean> {
    clearTimeout(timer);
    const held = new Map([...sessions()].map((session) => [session.bot.botId, session]));
    for (const [botId, ofBot] of underWay) if (ofBot.size === 0 && !held.has(botId)) underWay.delete(botId);
    const rooms: { botId: string; room: number }[] = [];
    let waitMs = Number.POSITIVE_INFINITY;
    for (const [botId, { pace }] of held) {
      const room = pace.room(underWay.get(botId)?.size ?? 0);
      if (room > 0) rooms.push({ botId, room });
      else if (pace.waitMs() > 0) waitMs = Math.min(waitMs, pace.waitMs());
    }
    if (Number.isFinite(waitMs)) timer = setTimeout(() => loop.wake(), waitMs);
    if (rooms.length === 0) return false;
    const claimed = await db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) =>
      claimBotMessages(tx, { at: now(), leaseMs, rooms }),
    );
    for (const message of claimed) {
      const session = held.get(message.bot_id) as BotSession;
      session.pace.began(1);
      begin(session, message);
    }
    return claimed.length > 0;
  }

  const loop = startWorkLoop({ name: 'exchange bot messages', everyMs: lookEveryMs, turn, log });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      clearTimeout(timer);
      await Promise.all([...underWay.values()].flatMap((ofBot) => [...ofBot]));
    },
  };
}
