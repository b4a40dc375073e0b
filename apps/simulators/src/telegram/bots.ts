import type { ChatState } from '../world/index.ts';
import { createOutbox } from './outbox.ts';
import { createUpdates, type Updates } from './updates.ts';

/** Bots that people connect to communities: every token of this form is one, until it is revoked. */
const DEMO_TOKEN = /^(\d+):demo-/;
const NO_LIMITS: MessageLimits = { take: () => 0 };

/** A bot with its own chats, limits and updates. */
export interface SimulatedBot {
  id: number;
  name: string;
  username: string;
  /** The chats of people who wrote to the bot, and whether they have blocked it since. */
  people: Map<string, 'open' | 'blocked'>;
  stateOf(chatId: string): ChatState;
  limits: MessageLimits;
  outbox: ReturnType<typeof createOutbox>;
  updates: Updates;
  /** The menu of commands by language; empty: of everyone else. */
  commands: Map<string, { command: string; description: string }[]>;
  /** Presses of buttons that wait for an answer. */
  presses: Set<string>;
}

export interface Bots {
  /** The bot of a token; null: Telegram refuses it. */
  find(token: string): SimulatedBot | null;
  /** A bot by its id, whatever its token. */
  byId(id: number): SimulatedBot | null;
  /** Accepts one more token, of a bot that exists or of a new one. */
  add(token: string): void;
  /** Refuses a token from now on. */
  revoke(token: string): void;
  close(): void;
}

/** All bots: the platform's, and those of communities. */
export function createBots({
  token: platformToken,
  chats,
  outbox,
  hasLimits,
  now,
}: {
  token: string;
  chats: { stateOf(chatId: string): ChatState };
  outbox: ReturnType<typeof createOutbox>;
  hasLimits: boolean;
  now: () => number;
}): Bots {
  const bots = new Map<number, SimulatedBot>();
  const known = new Set([platformToken]);
  const revoked = new Set<string>();
  const platformId = idOf(platformToken);

  function open(id: number): SimulatedBot {
    const before = bots.get(id);
    if (before) return before;
    const isPlatform = id === platformId;
    const people = new Map<string, 'open' | 'blocked'>();
    const bot = {
      id,
      name: isPlatform ? 'Copydesk' : `Demo Bot ${id}`,
      username: isPlatform ? 'copydesk_demo_bot' : `demo_${id}_bot`,
      people,
      stateOf: (chatId: string) => people.get(chatId) ?? (isPlatform ? chats.stateOf(chatId) : null),
      limits: hasLimits ? createMessageLimits(now) : NO_LIMITS,
      outbox: isPlatform ? outbox : createOutbox(),
      updates: createUpdates(),
      commands: new Map<string, { command: string; description: string }[]>(),
      presses: new Set<string>(),
    };
    bots.set(id, bot);
    return bot;
  }

  return {
    find(token) {
      if (revoked.has(token)) return null;
      return known.has(token) || DEMO_TOKEN.test(token) ? open(idOf(token)) : null;
    },
    byId: (id) => bots.get(id) ?? null,
    add: (token) => void known.add(token),
    revoke: (token) => void revoked.add(token),
    close() {
      for (const { updates } of bots.values()) updates.close();
    },
  };
}

const idOf = (token: string) => Number(token.split(':')[0]);

const PER_SECOND = 30;
const WINDOW_MS = 1_000;
/** A chat takes one message a second, with short bursts (core.telegram.org/bots/faq#broadcasting). */
const CHAT_BURST = 3;
const CHAT_MS = 1_000;

interface MessageLimits {
  /** Counts a message; returns how many seconds the bot has to wait, 0: none. */
  take(chatId: string): number;
}

/** Limits of a bot's messages: in total, and for one chat. */
function createMessageLimits(now: () => number): MessageLimits {
  let sent: number[] = [];
  const chats = new Map<string, { tokens: number; at: number }>();
  return {
    take(chatId) {
      const at = now();
      sent = sent.filter((time) => time > at - WINDOW_MS);
      const before = chats.get(chatId) ?? { tokens: CHAT_BURST, at };
      const tokens = Math.min(CHAT_BURST, before.tokens + (at - before.at) / CHAT_MS);
      if (sent.length >= PER_SECOND) return 1;
      if (tokens < 1) return Math.ceil(((1 - tokens) * CHAT_MS) / 1000);
      sent.push(at);
      chats.set(chatId, { tokens: tokens - 1, at });
      return 0;
    },
  };
}
