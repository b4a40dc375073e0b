import { setTimeout as sleep } from 'node:timers/promises';
import { type MessageProblem, retryDelayMs } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import { TelegramError } from '../../integrations/telegram/gateway.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { type DueRows, dueRows, type Held } from '../../platform/work/due-rows.ts';
import type { BotPace } from './bot-pace.ts';

/** Messages of the platform's bot, and of the bots of communities: two tables with the same columns of sending. */
export const MESSAGES = dueRows({ table: 'message', due: 'due_at' });
export const BOT_MESSAGES = dueRows({ table: 'exchange_bot_message', due: 'due_at' });

/** A chat accepts one message per second. */
export const CHAT_PAUSE_MS = 1_000;
/** Longer than the timeouts of a bot and the retries of the database, so only one worker sends a message. */
export const MESSAGE_LEASE_MS = 60_000;
/** Recording a sent message is retried as long as its lease allows, because an unrecorded message is sent again. */
const RECORD_PAUSES_MS = [100, 1_000, 5_000, 10_000];
/** A token that Telegram does not know (any more). */
const REFUSED_TOKEN = /^401\b/;

/** The outcome of an attempt. */
type Delivery =
  | { state: 'sent'; telegramMessageId: number; text?: string }
  | { state: 'failed'; problem: MessageProblem; detail: string | null }
  | { state: 'queued'; problem: MessageProblem; detail: string | null; retryAt: Date };

interface SendDeps {
  db: Database;
  actor: Actor;
  rows: DueRows;
  pace: BotPace;
  log: Logger;
  now: () => Date;
  /** A refused token is replaced by a person, and messages wait this long for it; without it, they fail. */
  tokenPauseMs?: number;
}

/** A message that this worker holds. */
export type HeldMessage = Held & { attempts: number };

/**
 * Tries to send a message once, and records the outcome unless another worker has taken the message over.
 * @param send null: its addressee has no chat. Its text is stored where it differs from what was queued
 * @throws every error that is not an answer of Telegram: a fault of ours, or a database that is away; the
 *   message is due
 * again when its lease ends
 */
export async function sendMessage(
  deps: SendDeps,
  message: HeldMessage,
  send: (() => Promise<{ messageId: number; text?: string }>) | null,
): Promise<void> {
  const pausedMs = send ? deps.pace.pausedMs() : 0;
  if (pausedMs > 0) await putOff(deps, message, pausedMs);
  else await record(deps, message, await attempt(deps, message, send));
}

/** A message that was taken before Telegram asked to wait, or stopped answering, waits as well. */
async function putOff({ db, actor, rows, now }: SendDeps, message: HeldMessage, ms: number): Promise<void> {
  const at = new Date(now().getTime() + ms);
  await db.write(WHOLE_SCOPE, actor, (tx) => rows.giveBack(tx, message, at));
}

async function attempt(
  { pace, now, tokenPauseMs }: SendDeps,
  { attempts }: HeldMessage,
  send: (() => Promise<{ messageId: number; text?: string }>) | null,
): Promise<Delivery> {
  if (!send) return { state: 'failed', problem: 'no_chat', detail: null };
  try {
    const { messageId, ...stored } = await send();
    pace.answered();
    return { state: 'sent', telegramMessageId: messageId, ...stored };
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    const { code: problem, isRetryable, retryAfterMs, detail } = error;
    if (problem === 'unavailable') pace.unanswered();
    else pace.answered();
    const isTokenRefused = problem === 'refused' && REFUSED_TOKEN.test(detail ?? '');
    const forTokenMs = isTokenRefused ? (tokenPauseMs ?? null) : null;
    const pauseMs = forTokenMs ?? retryAfterMs;
    if (pauseMs !== null) pace.pause(pauseMs);
    const delayMs = forTokenMs ?? (isRetryable ? retryDelayMs(attempts + 1) : null);
    return delayMs === null
      ? { state: 'failed', problem, detail }
      : { state: 'queued', problem, detail, retryAt: new Date(now().getTime() + (pauseMs ?? delayMs)) };
  }
}

async function record(
  { db, actor, rows, log, now }: SendDeps,
  message: HeldMessage,
  delivery: Delivery,
): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      const isOurs = await db.write(WHOLE_SCOPE, actor, (tx) =>
        rows.finish(tx, message, outcomeOf(delivery, now())),
      );
      if (!isOurs)
        log.warn({ message: message.id, state: delivery.state }, 'another sender has taken over a message');
      return;
    } catch (error) {
      const pauseMs = RECORD_PAUSES_MS[attempts];
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs);
    }
  }
}

function outcomeOf(delivery: Delivery, at: Date) {
  const isSent = delivery.state === 'sent';
  const text = isSent && delivery.text !== undefined ? sql`, text = ${delivery.text}` : sql``;
  return {
    nextAt: delivery.state === 'queued' ? delivery.retryAt : at,
    set: sql`state = ${delivery.state}, attempts = attempts + 1, sent_at = ${isSent ? at : null},
      problem = ${isSent ? null : delivery.problem}, problem_detail = ${isSent ? null : delivery.detail},
      telegram_message_id = ${isSent ? delivery.telegramMessageId : null}${text}`,
  };
}
