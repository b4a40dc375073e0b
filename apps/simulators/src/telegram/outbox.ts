/** A button under a message; a press sends its data back to the bot. */
export interface ReceivedButton {
  text: string;
  callback_data?: string;
  url?: string;
}

/** A message from the bot. */
export interface ReceivedMessage {
  message_id: number;
  chat_id: string;
  /** The bot's markup. */
  html: string;
  /** The text that the person sees; of a picture, what is written below it. */
  text: string;
  keyboard?: ReceivedButton[][];
  /** A picture, in base64. */
  photo?: string;
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
  /** The id of a message that a person sends. */
  nextId(): number;
} {
  let messages: ReceivedMessage[] = [];
  let lastId = 0;
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  return {
    list: () => [...messages],
    reset: () => {
      messages = [];
    },
    nextId,
    add(message) {
      const received = { message_id: nextId(), ...message };
      messages.push(received);
      if (messages.length > KEPT) messages = messages.slice(-KEPT);
      return received;
    },
  };
}
