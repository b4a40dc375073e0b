/** A message that the bot has sent. */
export interface ReceivedMessage {
  message_id: number;
  chat_id: string;
  /** As the bot sent it. */
  html: string;
  /** As the person sees it. */
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

/** What arrived with the people. */
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
