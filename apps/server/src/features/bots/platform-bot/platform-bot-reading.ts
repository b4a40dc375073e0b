import { randomUUID } from 'node:crypto';
import { hearOwner, readOwnerWord } from '../../../core/transfers/addresses/owner-words.ts';
import type { OpenBot } from '../../../integrations/telegram/create-bot-client.ts';
import type { TelegramUpdate } from '../../../integrations/telegram/gateway.ts';
import { recordRefusal } from '../../../platform/audit/security-log/record-refusal.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { type Handled, startUpdateReader, type UpdateReader } from '../telegram/update-reader.ts';
import { holdsReading, renewReading, saveReadingPrefix, takeReading } from './platform-bot-reading.store.ts';

/** The actor of owners who answer through the bot: they have no account. */
const OWNER_ACTOR = { kind: 'system', id: 'platform-bot', name: 'owner by Telegram' } as const;
/** The actor of people of the console who write to the bot: what they write is no call of their account. */
const CHAT_ACTOR = { kind: 'system', id: 'platform-bot', name: 'person by Telegram' } as const;
/** After this long another worker reads in place of one that crashed. */
const LEASE_MS = 60_000;
/** A token that Telegram refused is tried again this often. */
const REFUSED_PAUSE_MS = 60_000;

/**
 * Reads a word that is about no payout address.
 * @returns what comes of it, in the transaction that handles the update; null: the bot takes no notice
 */
export type HearOther = (
  update: TelegramUpdate,
  botTelegramId: string,
) => ((tx: WriteTx) => Promise<void>) | null;

interface ReadingParts {
  db: Database;
  /** Null: no bot is read. */
  token: string | null;
  openBot: OpenBot;
  hearOther: HearOther;
  log: Logger;
  now: () => Date;
}

/** Reads what people press below the messages of the platform's bot, and what they write to it: one worker at a time. */
export function createPlatformBotReading({ db, token, openBot, hearOther, log, now }: ReadingParts): {
  /** Takes, extends or ends the reading. */
  turn(): Promise<void>;
  stop(): Promise<void>;
} {
  const workerId = randomUUID();
  let session: { leaseNumber: string; reader: UpdateReader } | null = null;
  let refusedUntil = 0;

  const leaseOf = ({ leaseNumber }: { leaseNumber: string }) => ({ workerId, leaseNumber });

  async function heard(
    update: TelegramUpdate,
    { botId, leaseNumber }: { botId: string; leaseNumber: string },
  ): Promise<Handled> {
    const word = readOwnerWord(update, botId);
    if (!word) return heardOther(hearOther(update, botId), leaseNumber);
    const result = await db.write(WHOLE_SCOPE, OWNER_ACTOR, async (tx) =>
      (await holdsReading(tx, { workerId, leaseNumber })) ? hearOwner(tx, word) : 'lost',
    );
    if (result === 'lost') return 'lost';
    if (result.isDisowned) {
      log.warn({ traderId: result.traderId }, 'the owner of a payout address says that it is not theirs');
      await recordRefusal(db, 'address_disowned', now()).catch((error) =>
        log.error({ err: error }, 'the word of an owner is not in the security log'),
      );
    }
    return 'handled';
  }

  async function heardOther(work: ReturnType<HearOther>, leaseNumber: string): Promise<Handled> {
    if (!work) return 'handled';
    return db.write(WHOLE_SCOPE, CHAT_ACTOR, async (tx) => {
      if (!(await holdsReading(tx, { workerId, leaseNumber }))) return 'lost';
      await work(tx);
      return 'handled';
    });
  }

  async function begin(of: string): Promise<void> {
    const botId = of.split(':')[0] as string;
    const taken = await db.write(WHOLE_SCOPE, OWNER_ACTOR, (tx) =>
      takeReading(tx, workerId, { telegramId: botId, at: now(), leaseMs: LEASE_MS }),
    );
    if (!taken) return;
    const { leaseNumber, lastUpdateId } = taken;
    const reader = startUpdateReader({
      client: openBot(of),
      log,
      now,
      bot: 'platform',
      lastUpdateId,
      // The webhook may belong to another program of the owner: the screen reports it instead.
      removesWebhook: false,
      handle: (update) => heard(update, { botId, leaseNumber }),
      skip: async () => 'handled',
      savePrefix: (updateId, savedAt) =>
        db.write(WHOLE_SCOPE, OWNER_ACTOR, (tx) =>
          saveReadingPrefix(tx, { workerId, leaseNumber }, updateId, savedAt),
        ),
    });
    session = { leaseNumber, reader };
  }

  async function end(): Promise<void> {
    if (!session) return;
    const ended = session;
    await ended.reader.stop();
    session = null;
    await db.write(WHOLE_SCOPE, OWNER_ACTOR, (tx) =>
      renewReading(tx, leaseOf(ended), { leaseMs: null, health: ended.reader.health() }),
    );
  }

  return {
    async turn() {
      if (session) {
        const { reader } = session;
        const health = reader.health();
        const lease = leaseOf(session);
        const isOurs = await db.write(WHOLE_SCOPE, OWNER_ACTOR, (tx) =>
          renewReading(tx, lease, { leaseMs: LEASE_MS, health }),
        );
        if (isOurs && !reader.signal.aborted) return;
        if (health.problem === 'refused') refusedUntil = now().getTime() + REFUSED_PAUSE_MS;
        await end();
      }
      if (token !== null && refusedUntil <= now().getTime()) await begin(token);
    },
    stop: () =>
      end().catch((error) => log.warn({ err: error }, "the platform bot's lease was not given back")),
  };
}
