import { randomUUID } from 'node:crypto';
import type { BotClient } from '../../../../integrations/telegram/gateway.ts';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import type { Keyring } from '../../../../platform/secrets/keyring.ts';
import { SealError } from '../../../../platform/secrets/sealed-secret.ts';
import { startWorkLoop, type WorkLoop } from '../../../../platform/work/work-loop.ts';
import { openBotToken } from '../bot/bot-token-box.ts';
import { findToken } from '../bot/bot-tokens.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';
import {
  giveBack,
  type HeldBot,
  listHeld,
  type ReadingNews,
  renewLeases,
  takeBots,
} from './bot-leases.store.ts';
import { startBotSender } from './bot-sender.ts';
import { type BotSession, type SessionDeps, startBotSession } from './bot-session.ts';
import { recordFacts } from './record-facts.ts';

/** After this long another worker takes over the bots of one that crashed. */
const LEASE_MS = 30_000;
/** Leases are renewed several times within their duration. */
const LOOK_EVERY_MS = 3_000;
const SEND_EVERY_MS = 1_000;
/** One long poll each: more bots than this wait for another worker. */
const MOST_BOTS = 500;

export interface AnswerDeps extends Omit<SessionDeps, 'onQueued'> {
  keyring: Keyring;
  openBot(token: string): BotClient;
  workerId?: string;
  leaseMs?: number;
  lookEveryMs?: number;
  sendEveryMs?: number;
  messageLeaseMs?: number;
}

/**
 * Answers people who write to the bots of communities: takes bots that no worker reads, reads each by long polling, and
 * sends the replies. A few queries for all bots every few seconds, whatever their number.
 */
export function startAnsweringBots(deps: AnswerDeps): WorkLoop {
  const { db, log, now, keyring, openBot } = deps;
  const { workerId = randomUUID(), leaseMs = LEASE_MS, lookEveryMs = LOOK_EVERY_MS } = deps;
  const sessions = new Map<string, BotSession>();
  /** Bots whose token cannot be opened, until they change. */
  let unreadable: ReadingNews[] = [];

  const sender = startBotSender({
    db,
    log,
    now,
    sessions: () => sessions.values(),
    lookEveryMs: deps.sendEveryMs ?? SEND_EVERY_MS,
    ...(deps.messageLeaseMs === undefined ? {} : { leaseMs: deps.messageLeaseMs }),
  });

  /** When each lease was renewed, and what was stored with it. */
  const renewed = new Map<string, { at: number; state: string }>();
  const stateOf = ({ leaseNumber, readAt, problem, stoppedAt }: ReadingNews) =>
    JSON.stringify([leaseNumber, readAt === null, problem, stoppedAt]);
  /** A lease is renewed three times in its duration, and at once when the state on screen changes. */
  const isDue = (one: ReadingNews, at: Date) => {
    const before = renewed.get(one.botId);
    return !before || before.state !== stateOf(one) || at.getTime() >= before.at + leaseMs / 3;
  };

  async function renew(): Promise<HeldBot[]> {
    const at = now();
    const reading = [...sessions.values()].map((session) => session.news());
    const news = [...unreadable, ...reading.filter((one) => isDue(one, at))];
    const held = await db.write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
      await renewLeases(tx, workerId, { leaseMs, news });
      await takeBots(tx, workerId, { at, leaseMs, limit: MOST_BOTS - sessions.size });
      return listHeld(tx, workerId);
    });
    for (const one of news) renewed.set(one.botId, { at: at.getTime(), state: stateOf(one) });
    return held;
  }

  async function begin(bot: HeldBot): Promise<void> {
    const client = await open(bot);
    if (client)
      sessions.set(bot.botId, startBotSession({ ...deps, onQueued: sender.wake }, { workerId, bot, client }));
  }

  async function open({ botId, leaseNumber, version }: HeldBot): Promise<BotClient | null> {
    try {
      const stored = await db.read(WHOLE_SCOPE, (tx) => findToken(tx, botId));
      if (stored) return openBot(openBotToken(keyring, stored));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
    log.error({ bot: botId }, 'the stored token of a bot cannot be opened');
    const problem = { problem: 'unreadable', problemAt: now(), stoppedAt: version } as const;
    unreadable.push({ botId, leaseNumber, readAt: null, ...problem });
    return null;
  }

  async function end(session: BotSession): Promise<void> {
    await session.stop();
    sessions.delete(session.bot.botId);
    renewed.delete(session.bot.botId);
  }

  async function turn(): Promise<boolean> {
    const held = new Map((await renew()).map((bot) => [bot.botId, bot]));
    unreadable = [];
    const changed: string[] = [];
    for (const session of [...sessions.values()]) {
      const { botId, leaseNumber, version } = session.bot;
      const bot = held.get(botId);
      const isOurs = bot?.leaseNumber === leaseNumber;
      if (isOurs && bot.isActive && bot.version === version) {
        if (bot.areCommandsDue) session.setCommands();
        continue;
      }
      await end(session);
      // The lease of a changed bot is taken again with the token and the number that count now.
      if (isOurs) changed.push(botId);
    }
    const begun = [...held.values()].filter(({ botId }) => !sessions.has(botId) && !changed.includes(botId));
    for (const bot of begun) if (bot.isActive) await begin(bot);
    changed.push(...begun.filter(({ isActive }) => !isActive).map(({ botId }) => botId));
    if (changed.length > 0) await db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) => giveBack(tx, workerId, changed));
    // At once, a changed bot is taken again and an unreadable one is reported.
    return changed.length > 0 || unreadable.length > 0;
  }

  const reading = startWorkLoop({ name: 'exchange bots', everyMs: lookEveryMs, turn, log });
  const facts = startWorkLoop({
    name: 'exchange bot facts',
    everyMs: lookEveryMs,
    log,
    turn: async () => {
      const goesOn = await recordFacts({ db, now });
      sender.wake();
      return goesOn;
    },
  });

  return {
    wake: reading.wake,
    async stop() {
      await Promise.all([reading.stop(), facts.stop()]);
      await Promise.all([...sessions.values()].map((session) => session.stop()));
      await sender.stop();
      await db
        .write(WHOLE_SCOPE, BOT_ACTOR, async (tx) => {
          const news = [...sessions.values()].map((session) => session.news());
          await renewLeases(tx, workerId, { leaseMs: 0, news });
          await giveBack(tx, workerId, [...sessions.keys()]);
        })
        .catch((error) => log.warn({ err: error }, 'the leases of bots were not given back'));
    },
  };
}
