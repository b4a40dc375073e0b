import type { MessageProblem } from '@copydesk/domain/messages';

/** Rows of buttons. */
export type Keyboard = readonly (readonly { text: string; data: string }[])[];

/** A bot that writes to people. */
export interface TelegramGateway {
  /**
   * Sends one message.
   * @param chatId the person's id at Telegram
   * @param text in the Bot API's HTML, 1 to 4,096 characters
   * @param keyboard buttons below it; each sends its data back, at most 64 bytes
   * @throws TelegramError and nothing else
   */
  send(message: { chatId: string; text: string; keyboard?: Keyboard }): Promise<{ messageId: number }>;
}

export interface TelegramFailure {
  code: Exclude<MessageProblem, 'no_chat'>;
  /** A later attempt with the same message may succeed. */
  isRetryable: boolean;
  /** How long Telegram wants no requests from this bot at all. */
  retryAfterMs: number | null;
  /** Telegram's text, or the failure on the way; never the token. */
  detail: string | null;
}

/** Why a message did not arrive. */
export class TelegramError extends Error implements TelegramFailure {
  readonly code: TelegramFailure['code'];
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
  readonly detail: string | null;

  constructor({ code, isRetryable, retryAfterMs, detail }: TelegramFailure) {
    super(detail ? `${code}: ${detail}` : code);
    this.name = 'TelegramError';
    this.code = code;
    this.isRetryable = isRetryable;
    this.retryAfterMs = retryAfterMs;
    this.detail = detail;
  }
}

/** An update of a bot, as far as it is used here (core.telegram.org/bots/api#update). */
export interface TelegramUpdate {
  update_id: number;
  message?: {
    /** When it was sent, seconds since 1970. */
    date: number;
    chat: { id: number; type: string };
    from?: TelegramUser | undefined;
    text?: string | undefined;
  };
  callback_query?: {
    id: string;
    from: TelegramUser;
    data?: string | undefined;
    message?: { chat: { id: number; type: string } } | undefined;
  };
}

export interface TelegramUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string | undefined;
  username?: string | undefined;
  language_code?: string | undefined;
}

export interface OutgoingMessage {
  /** The person's id at Telegram. */
  chatId: string;
  /** In the Bot API's HTML: up to 4,096 characters, below a picture 1,024. */
  text: string;
  keyboard: Keyboard | null;
  /** A picture as PNG, above the text. */
  png: Uint8Array | null;
}

/** A bot in use: its updates and what it sends. */
export interface BotClient {
  /**
   * Waits for updates, and confirms all before `offset`.
   * @throws UpdatesError and nothing else
   */
  getUpdates(offset: number | null, signal: AbortSignal): Promise<TelegramUpdate[]>;
  /** Removes the webhook of another program, which keeps the updates. @throws UpdatesError */
  deleteWebhook(): Promise<void>;
  /** @throws TelegramError and nothing else */
  send(message: OutgoingMessage): Promise<{ messageId: number }>;
  /** The commands that Telegram offers, to people of a language; null: of all others. @throws TelegramError */
  setCommands(
    commands: readonly { command: string; description: string }[],
    language: string | null,
  ): Promise<void>;
  /** Ends the progress that Telegram shows on a pressed button. @throws TelegramError */
  answerPress(id: string): Promise<void>;
}

/** Why a bot cannot be read: another program reads it, or has set a webhook, its token is refused, or silence. */
export type UpdatesProblem = 'refused' | 'other_reader' | 'webhook' | 'unavailable';

export class UpdatesError extends Error {
  readonly problem: UpdatesProblem;
  /** How long Telegram wants no requests from this bot. */
  readonly retryAfterMs: number | null;

  constructor(problem: UpdatesProblem, retryAfterMs: number | null = null) {
    super(problem);
    this.name = 'UpdatesError';
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}
