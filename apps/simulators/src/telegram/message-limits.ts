const PER_SECOND = 30;
const WINDOW_MS = 1_000;
/** A chat takes one message a second, with short bursts (core.telegram.org/bots/faq#broadcasting). */
const CHAT_BURST = 3;
const CHAT_MS = 1_000;

export interface MessageLimits {
  /** Counts a message; returns how many seconds the bot has to wait, 0: none. */
  take(chatId: string): number;
}

/** Limits of a bot's messages: in total, and for one chat. */
export function createMessageLimits(now: () => number): MessageLimits {
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
