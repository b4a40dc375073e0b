import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BotClient,
  type TelegramUpdate,
  UpdatesError,
  type UpdatesProblem,
} from '../../../integrations/telegram/gateway.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { createUpdateQueue } from './update-queue.ts';

/** Pauses after a failure: the first, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A poll without updates takes seconds. One that answers at once must not become a loop without a pause. */
const SHORTEST_POLL_MS = 200;
/** An update that fails this often is counted as handled, so that the bot answers others. */
const MOST_ATTEMPTS = 3;
/** Chats of one bot that are answered beside each other, each with a connection of its own. */
const CHATS_AT_ONCE = 8;
/** While a chat takes longer than this, Telegram is asked for more: the others must not wait for it. */
const LONGEST_WAIT_MS = 250;

export type Handled = 'handled' | 'repeated' | 'lost';

export interface UpdateReaderDeps {
  client: BotClient;
  log: Logger;
  now: () => Date;
  /** Names the bot in the log. */
  bot: string;
  /** Up to here every update is handled; null: none is. */
  lastUpdateId: number | null;
  /** Whether a webhook of another program is removed. */
  removesWebhook: boolean;
  /** Handles an update in one transaction that may repeat it. `lost`: this worker may not read the bot any more. */
  handle(update: TelegramUpdate): Promise<Handled>;
  /** Counts an update that could not be handled. */
  skip(update: TelegramUpdate): Promise<Handled>;
  /** Stores up to where every update is handled. @returns false: this worker may not read the bot any more */
  savePrefix(updateId: number, at: Date): Promise<boolean>;
  onHandled?(): void;
}

/** How a reading goes. */
export interface ReadingHealth {
  /** When Telegram last answered. */
  readAt: Date | null;
  problem: UpdatesProblem | null;
  problemAt: Date | null;
}

export interface UpdateReader {
  health(): ReadingHealth;
  /** Aborted: stopped, lost, or refused by Telegram. */
  signal: AbortSignal;
  /** Starts no further request or transaction, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Reads the updates of a bot by long polling, until it is stopped, its token is refused or the right to read it is lost.
 * What is handled is stored before Telegram is told to forget it.
 */
export function startUpdateReader(deps: UpdateReaderDeps): UpdateReader {
  const { client, log, now, bot } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const health: ReadingHealth = { readAt: null, problem: null, problemAt: null };
  let offset = deps.lastUpdateId === null ? null : deps.lastUpdateId + 1;
  let failures = 0;

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const pauseMs = () => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

  function recordProblem(problem: UpdatesProblem): void {
    if (health.problem !== problem) {
      health.problemAt = now();
      log.warn({ bot, problem }, 'reading a bot failed');
    }
    health.problem = problem;
  }

  async function recover(error: unknown): Promise<void> {
    failures += 1;
    if (!(error instanceof UpdatesError)) {
      log[isDatabaseGone(error) ? 'warn' : 'error']({ err: error, bot }, 'answering a bot failed');
      return pause(pauseMs());
    }
    recordProblem(error.problem);
    if (error.problem === 'refused') return stopping.abort();
    if (error.problem === 'webhook' && deps.removesWebhook) await client.deleteWebhook().catch(() => {});
    await pause(error.retryAfterMs ?? pauseMs());
  }

  async function handle(update: TelegramUpdate): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const work = attempt > MOST_ATTEMPTS ? deps.skip : deps.handle;
        const handled = await retryConflicts(() => work(update));
        if (handled === 'lost') {
          stopping.abort();
          break;
        }
        if (handled === 'handled') deps.onHandled?.();
        // Telegram shows progress on the button until it is answered; a lost answer has no other effect.
        const press = update.callback_query?.id;
        if (press !== undefined) void client.answerPress(press).catch(() => {});
        return;
      } catch (error) {
        // While the database is gone, the update is not the cause of the failure.
        if (isDatabaseGone(error)) throw error;
        log.error({ err: error, bot, update: update.update_id, attempt }, 'handling an update failed');
        if (attempt > MOST_ATTEMPTS) throw error;
        await pause(FIRST_PAUSE_MS / 4);
      }
    }
    // It was not handled, so it must not be confirmed.
    throw new Error('the reading of the bot has ended');
  }

  const queue = createUpdateQueue<TelegramUpdate>({ laneOf: chatOf, handle, atOnce: CHATS_AT_ONCE });

  /** Stores how far everything is handled; only then the next request tells Telegram to forget it. */
  async function confirm(): Promise<void> {
    const prefix = queue.takePrefix();
    if (prefix === null) return;
    if (!(await deps.savePrefix(prefix, now()))) return stopping.abort();
    offset = prefix + 1;
  }

  async function read(): Promise<void> {
    const begunAt = performance.now();
    const updates = await client.getUpdates(offset, signal);
    Object.assign(health, { readAt: now(), problem: null, problemAt: null });
    if (signal.aborted) return;
    queue.add(updates);
    try {
      await queue.settle(LONGEST_WAIT_MS);
    } finally {
      if (!signal.aborted) await confirm();
    }
    failures = 0;
    if (updates.length === 0 && performance.now() - begunAt < SHORTEST_POLL_MS) await pause(SHORTEST_POLL_MS);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) await read().catch((error) => (signal.aborted ? undefined : recover(error)));
  }
  const running = run();

  return {
    health: () => ({ ...health }),
    signal,
    async stop() {
      stopping.abort();
      await queue.stop();
      await running;
    },
  };
}

/** Updates of one person with the bot are handled in order. Updates without an answer need no order. */
function chatOf({ update_id, message, callback_query: press }: TelegramUpdate): string {
  const from = message?.from ?? press?.from;
  return from ? `${from.id}` : `update ${update_id}`;
}
