import type { OpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import { TelegramError, type TelegramGateway } from '../../../integrations/telegram/gateway.ts';
import type { ReadBot } from '../../../integrations/telegram/read-bot.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { SealError } from '../../../platform/secrets/sealed-secret.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { type BotInUse, findStoredToken, type StoredToken, saveBotInUse } from './platform-bot.store.ts';
import { openPlatformToken } from './platform-bot-box.ts';
import { createPlatformBotReading } from './platform-bot-reading.ts';

/** A bot that works is checked this often; one with a problem more often. */
const CHECK_EVERY_MS = 3_600_000;
const CHECK_AGAIN_AFTER_MS = 60_000;

interface PlatformBotParts {
  db: Database;
  keyring: Keyring;
  /** The token of the environment; null: there is none. */
  environmentToken: string | null;
  /** Opens the bot of a token; null: a gateway that refuses to send. */
  open: (token: string | null) => TelegramGateway;
  /** Opens it for reading. */
  openBot: OpenBot;
  /** Whether the environment's token counts, whatever is stored. */
  isLocked: boolean;
  readBot: ReadBot;
  log: Logger;
  now: () => number;
}

/**
 * The bot with which this worker writes to people, and reads what they answer. Each turn looks whether another token was stored, and asks Telegram
 * about the bot from time to time, so that the console shows what is in use.
 */
export function createPlatformBot({
  db,
  keyring,
  environmentToken,
  open,
  openBot,
  isLocked,
  readBot,
  log,
  now,
}: PlatformBotParts): {
  gateway: TelegramGateway;
  turn(): Promise<false>;
  /** Ends the reading. */
  stop(): Promise<void>;
} {
  const reading = createPlatformBotReading({ db, openBot, log, now: () => new Date(now()) });
  let gateway: TelegramGateway | null = null;
  let known: {
    version: number;
    token: string | null;
    source: BotInUse['source'];
    isReadable: boolean;
  } | null = null;
  let checkAt = 0;

  async function load(): Promise<void> {
    const stored = await db.read(WHOLE_SCOPE, findStoredToken);
    if (known?.version === stored.version) return;
    known = { version: stored.version, ...chosen(stored.token) };
    gateway = open(known.token);
    checkAt = 0;
    log.info({ source: known.source, version: known.version }, 'the bot of the platform was loaded');
  }

  function chosen(stored: StoredToken | null) {
    if (stored && !isLocked) {
      const token = openOrNull(stored);
      return { token, source: 'console' as const, isReadable: token !== null };
    }
    const token = environmentToken;
    return { token, source: token === null ? ('none' as const) : ('environment' as const), isReadable: true };
  }

  function openOrNull(stored: StoredToken) {
    try {
      return openPlatformToken(keyring, stored);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.error("the stored token of the platform's bot could not be decrypted");
      return null;
    }
  }

  async function check({ version, token, source, isReadable }: NonNullable<typeof known>): Promise<void> {
    const found = { version, source, telegramId: token?.split(':')[0] ?? null, username: null, name: null };
    const bot: BotInUse = isReadable
      ? { ...found, ...(token === null ? { problem: null } : await ask(token)) }
      : { ...found, problem: 'unreadable' };
    await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => saveBotInUse(tx, bot, new Date(now())));
    checkAt = now() + (bot.problem === null ? CHECK_EVERY_MS : CHECK_AGAIN_AFTER_MS);
  }

  async function ask(token: string): Promise<Pick<BotInUse, 'username' | 'name' | 'problem'>> {
    try {
      const { username, name } = await readBot(token);
      return { username, name, problem: null };
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      return { username: null, name: null, problem: error.isRetryable ? 'unavailable' : 'refused' };
    }
  }

  return {
    gateway: {
      async send(message) {
        if (!gateway) await load();
        return (gateway as TelegramGateway).send(message);
      },
    },
    async turn() {
      await load();
      if (known && now() >= checkAt) await check(known);
      if (known) await reading.turn({ ...known, isOfEnvironment: known.source === 'environment' });
      return false;
    },
    stop: reading.stop,
  };
}
