import { BOT_MESSAGES, MESSAGE_LEASE_MS, sendMessage } from '../../../../core/outbox/send-message.ts';
import { type Database, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/observe/log.ts';
import { startDueLoop } from '../../../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../../../platform/work/work-loop.ts';
import { drawQrCode } from '../../telegram/qr-picture.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import { type ClaimedBotMessage, claimBotMessages } from './bot-messages.store.ts';
import type { BotSession } from './bot-session.ts';

/** A refused token has to be replaced by a person; meanwhile the bot's messages wait this long. */
const TOKEN_PAUSE_MS = 60_000;

interface BotSenderDeps {
  db: Database;
  log: Logger;
  now: () => Date;
  /**
   * The bots that this worker reads. No other worker writes for them, so one process keeps the limits of a
   * bot.
   */
  sessions(): Iterable<BotSession>;
  lookEveryMs: number;
  leaseMs?: number;
}

/** A message with the session of its bot, which sends it also where the bot was given up meanwhile. */
type Begun = ClaimedBotMessage & { session: BotSession };

/** Sends the messages of all bots of a worker: one query for all, whatever their number. */
export function startBotSender({
  db,
  log,
  now,
  sessions,
  lookEveryMs,
  leaseMs = MESSAGE_LEASE_MS,
}: BotSenderDeps): WorkLoop {
  const deps = { db, actor: BOT_ACTOR, rows: BOT_MESSAGES, log, now, tokenPauseMs: TOKEN_PAUSE_MS };
  /** Messages being sent, by bot. */
  const underWay = new Map<string, number>();
  const count = (botId: string, change: 1 | -1) => {
    const left = (underWay.get(botId) ?? 0) + change;
    if (left > 0) underWay.set(botId, left);
    else underWay.delete(botId);
  };

  async function claim() {
    const held = new Map([...sessions()].map((session) => [session.bot.botId, session]));
    const rooms: { botId: string; room: number }[] = [];
    let waitMs = Number.POSITIVE_INFINITY;
    for (const [botId, { pace }] of held) {
      const room = pace.room(underWay.get(botId) ?? 0);
      if (room > 0) rooms.push({ botId, room });
      else if (pace.waitMs() > 0) waitMs = Math.min(waitMs, pace.waitMs());
    }
    const wait = Number.isFinite(waitMs) ? { waitMs } : {};
    if (rooms.length === 0) return { rows: [], ...wait };
    const claimed = await db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) =>
      claimBotMessages(tx, { at: now(), leaseMs, rooms }),
    );
    const rows = claimed.map((message) => ({ ...message, session: held.get(message.botId) as BotSession }));
    for (const { botId, session } of rows) {
      session.pace.began(1);
      count(botId, 1);
    }
    return { rows, ...wait };
  }

  async function send({ session: { client, pace }, ...message }: Begun): Promise<void> {
    const { botId, chatId, text, keyboard, qrText } = message;
    try {
      const png = qrText === null ? null : await drawQrCode(qrText);
      await sendMessage({ ...deps, pace }, message, () => client.send({ chatId, text, keyboard, png }));
    } finally {
      count(botId, -1);
    }
  }

  return startDueLoop<Begun>({
    name: 'exchange bot messages',
    everyMs: lookEveryMs,
    log,
    claim,
    work: send,
    describe: ({ id }) => ({ message: id }),
  });
}
