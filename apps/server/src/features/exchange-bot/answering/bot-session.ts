import { setTimeout as sleep } from 'node:timers/promises';
import { type BotPace, createBotPace } from '../../../core/telegram/bot-pace.ts';
import { type BotClient, type TelegramUpdate, UpdatesError } from '../../../integrations/telegram/gateway.ts';
import { isDatabaseGone } from '../../../platform/db/connection.ts';
import { WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Logger } from '../../../platform/log/log.ts';
import { type BotLease, savePrefix } from './advance-update.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import { setCommands } from './bot-commands.ts';
import type { HeldBot, ReadingNews } from './bot-leases.store.ts';
import { type HandleDeps, handleUpdate, skipUpdate } from './handle-update.ts';
import { createUpdateQueue } from './update-queue.ts';

/** Pauses after a failure: the first, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A poll without updates takes seconds. One that answers at once must not become a loop without a pause. */
const SHORTEST_POLL_MS = 200;
/** An update that fails this often is counted as handled, so that the bot answers others. */
const MOST_ATTEMPTS = 3;
/** Answers take tenths of a second. */
const AT_ONCE = 8;
/** Chats of one bot that are answered beside each other, each with a connection of its own. */
const CHATS_AT_ONCE = 8;
/** While a chat takes longer than this, Telegram is asked for more: the others must not wait for it. */
const LONGEST_WAIT_MS = 250;
/** After Telegram refused the menu of commands. */
const COMMANDS_PAUSE_MS = 60_000;

export interface SessionDeps extends HandleDeps {
  log: Logger;
  /** Messages per second of one bot. */
  perSecond: number;
  /** Messages may have been queued. */
  onQueued(): void;
}

/** The reading of one bot by this worker. */
export interface BotSession {
  readonly bot: HeldBot;
  readonly client: BotClient;
  readonly pace: BotPace;
  /** How the reading goes, for the screen. */
  news(): ReadingNews;
  /** Gives Telegram the menu of commands, unless that is under way or has just failed. */
  setCommands(): void;
  /** Starts no further request or transaction, and waits for the one under way. */
  stop(): Promise<void>;
}

/** Reads the updates of a bot until it is stopped, its token is refused or its lease is lost. */
export function startBotSession(
  deps: SessionDeps,
  { workerId, bot, client }: { workerId: string; bot: HeldBot; client: BotClient },
): BotSession {
  const { log, now } = deps;
  const { botId, leaseNumber } = bot;
  const lease: BotLease = { botId, workerId, leaseNumber };
  const stopping = new AbortController();
  const { signal } = stopping;
  const health = {
    readAt: null as Date | null,
    problem: null as ReadingNews['problem'],
    problemAt: null as Date | null,
    stoppedAt: null as string | null,
  };
  let offset = bot.lastUpdateId === null ? null : bot.lastUpdateId + 1;
  let failures = 0;

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  function noteProblem(problem: NonNullable<ReadingNews['problem']>): void {
    if (health.problem !== problem) {
      health.problemAt = now();
      log.warn({ bot: botId, problem }, 'reading a bot failed');
    }
    health.problem = problem;
  }

  async function recover(error: unknown): Promise<void> {
    failures += 1;
    if (!(error instanceof UpdatesError)) {
      log[isDatabaseGone(error) ? 'warn' : 'error']({ err: error, bot: botId }, 'answering a bot failed');
      return pause(pauseMs());
    }
    noteProblem(error.problem);
    if (error.problem === 'refused') {
      health.stoppedAt = bot.version;
      stopping.abort();
      return;
    }
    if (error.problem === 'webhook') await client.deleteWebhook().catch(() => {});
    await pause(error.retryAfterMs ?? pauseMs());
  }
  const pauseMs = () => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

  async function handle(update: TelegramUpdate): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const work = attempt > MOST_ATTEMPTS ? skipUpdate : handleUpdate;
        const handled = await retryConflicts(() => work(deps, lease, update));
        if (handled === 'lost') {
          stopping.abort();
          break;
        }
        if (handled === 'handled') deps.onQueued();
        // Telegram shows progress on the button until it is answered; an answer that is lost costs nothing else.
        const press = update.callback_query?.id;
        if (press !== undefined) void client.answerPress(press).catch(() => {});
        return;
      } catch (error) {
        // While the database is gone no update is to blame.
        if (isDatabaseGone(error)) throw error;
        log.error({ err: error, bot: botId, update: update.update_id, attempt }, 'handling an update failed');
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
    const isOurs = await deps.db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) => savePrefix(tx, lease, prefix, now()));
    if (!isOurs) return stopping.abort();
    offset = prefix + 1;
  }

  async function read(): Promise<void> {
    const begunAt = performance.now();
    const updates = await client.getUpdates(offset, signal);
    health.readAt = now();
    health.problem = null;
    health.problemAt = null;
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

  let commands: Promise<void> | null = null;
  let commandsAt = 0;

  return {
    bot,
    client,
    setCommands() {
      if (commands || signal.aborted || performance.now() < commandsAt) return;
      commands = setCommands({ db: deps.db, client }, lease)
        .catch((error) => {
          commandsAt = performance.now() + COMMANDS_PAUSE_MS;
          log.warn({ err: error, bot: botId }, 'the menu of commands was not set');
        })
        .finally(() => {
          commands = null;
        });
    },
    pace: createBotPace({ perSecond: deps.perSecond, atOnce: AT_ONCE, now: () => now().getTime() }),
    news: () => ({ botId, leaseNumber, ...health }),
    async stop() {
      stopping.abort();
      await queue.stop();
      await running;
      await commands;
    },
  };
}

/** Updates of one person with the bot are answered in order. Those that no answer is given to need no order. */
function chatOf({ update_id, message, callback_query: press }: TelegramUpdate): string {
  const from = message?.from ?? press?.from;
  return from ? `${from.id}` : `update ${update_id}`;
}
