import type { MessageProblem } from '@copydesk/domain';

/** A bot that writes to people. */
export interface TelegramGateway {
  /**
   * Sends one message.
   * @param chatId the person's id at Telegram
   * @param text in the Bot API's HTML, 1 to 4,096 characters
   * @throws TelegramError and nothing else
   */
  send(message: { chatId: string; text: string }): Promise<{ messageId: number }>;
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
