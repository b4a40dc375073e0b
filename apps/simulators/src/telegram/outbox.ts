/** A message from the bot. */
export interface ReceivedMessage {
  message_id: number;
  chat_id: string;
  /** The bot's markup. */
  html: string;
  /** The text that the person sees. */
  text: string;
  /** ms since 1970, by the simulator's clock */
  at: number;
}

export interface Outbox {
  /** The latest 10,000, the oldest first. */
  list(): ReceivedMessage[];
  reset(): void;
}

const KEPT = 10_000;

/** The messages that reached people. */
export function createOutbox(): Outbox & {
  add(message: Omit<ReceivedMessage, 'message_id'>): ReceivedMessage;
} {
  let messages: ReceivedMessage[] = [];
  let lastId = 0;
  return {
    list: () => [...messages],
    reset: () => {
      messages = [];
    },
    add(message) {
      lastId += 1;
      const received = { message_id: lastId, ...message };
      messages = [...messages.slice(1 - KEPT), received];
      return received;
    },
  };
}
