import { type BotPace, createBotPace } from '../../../../core/outbox/bot-pace.ts';
import type { BotClient } from '../../../../integrations/telegram/gateway.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/observe/log.ts';
import { startUpdateReader } from '../../telegram/update-reader.ts';
import { type BotLease, savePrefix } from './advance-update.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import { setCommands } from './bot-commands.ts';
import type { HeldBot, ReadingNews } from './bot-leases.store.ts';
import { type HandleDeps, handleUpdate, skipUpdate } from './handle-update.ts';

/** Answers take tenths of a second. */
const AT_ONCE = 8;
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
  const { db, log, now } = deps;
  const { botId, leaseNumber } = bot;
  const lease: BotLease = { botId, workerId, leaseNumber };
  const reader = startUpdateReader({
    client,
    log,
    now,
    bot: botId,
    lastUpdateId: bot.lastUpdateId,
    removesWebhook: true,
    handle: (update) => handleUpdate(deps, lease, update),
    skip: (update) => skipUpdate(deps, lease, update),
    savePrefix: (updateId, at) =>
      db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) => savePrefix(tx, lease, updateId, at)),
    onHandled: deps.onQueued,
  });

  let commands: Promise<void> | null = null;
  let commandsAt = 0;

  return {
    bot,
    client,
    setCommands() {
      if (commands || reader.signal.aborted || performance.now() < commandsAt) return;
      commands = setCommands({ db, client }, lease)
        .catch((error) => {
          commandsAt = performance.now() + COMMANDS_PAUSE_MS;
          log.warn({ err: error, bot: botId }, 'the menu of commands was not set');
        })
        .finally(() => {
          commands = null;
        });
    },
    pace: createBotPace({ perSecond: deps.perSecond, atOnce: AT_ONCE, now: () => now().getTime() }),
    news() {
      const health = reader.health();
      return { botId, leaseNumber, ...health, stoppedAt: health.problem === 'refused' ? bot.version : null };
    },
    async stop() {
      await reader.stop();
      await commands;
    },
  };
}
