import type { OpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import { TelegramError } from '../../../integrations/telegram/gateway.ts';
import type { ReadBot } from '../../../integrations/telegram/read-bot.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { type BotInUse, hasStoredToken, saveBotInUse } from './platform-bot.store.ts';
import { createPlatformBotReading, type HearOther } from './platform-bot-reading.ts';

/** A bot that works is checked this often; one with a problem more often. */
const CHECK_EVERY_MS = 3_600_000;
const CHECK_AGAIN_AFTER_MS = 60_000;

/**
 * Watches the bot with which this worker writes to people, and reads what they answer. From time to time it asks
 * Telegram about the bot, so that the console shows what is in use.
 * @param token of the environment; null: there is none
 * @param openBot opens the bot of a token for reading
 * @param hearOther reads what is about no payout address
 */
export function createPlatformBot({
  db,
  token,
  openBot,
  readBot,
  hearOther,
  log,
  now,
}: {
  db: Database;
  token: string | null;
  openBot: OpenBot;
  readBot: ReadBot;
  hearOther: HearOther;
  log: Logger;
  now: () => number;
}): {
  turn(): Promise<false>;
  /** Ends the reading. */
  stop(): Promise<void>;
} {
  const reading = createPlatformBotReading({
    db,
    token,
    openBot,
    hearOther,
    log,
    now: () => new Date(now()),
  });
  let checkAt = 0;

  async function check(): Promise<void> {
    if (token === null && (await db.read(WHOLE_SCOPE, hasStoredToken)))
      log.error('the token that was stored in the console counts no more: set TELEGRAM_BOT_TOKEN');
    const bot = { telegramId: token?.split(':')[0] ?? null, ...(await ask()) };
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => saveBotInUse(tx, bot, new Date(now())));
    checkAt = now() + (bot.problem === null ? CHECK_EVERY_MS : CHECK_AGAIN_AFTER_MS);
  }

  async function ask(): Promise<Pick<BotInUse, 'username' | 'name' | 'problem'>> {
    if (token === null) return { username: null, name: null, problem: null };
    try {
      const { username, name } = await readBot(token);
      return { username, name, problem: null };
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      return { username: null, name: null, problem: error.isRetryable ? 'unavailable' : 'refused' };
    }
  }

  return {
    async turn() {
      if (now() >= checkAt) await check();
      await reading.turn();
      return false;
    },
    stop: reading.stop,
  };
}
