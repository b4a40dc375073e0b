/** What traders are told of by message. */
export const MESSAGE_KINDS = [
  'invoice_created',
  'invoice_due_soon',
  'invoice_overdue',
  'invoice_paid',
  'unpaid_invoices',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** `queued` messages are sent, or tried again, by themselves; a `failed` one waits for a person. */
export const MESSAGE_STATES = ['queued', 'sent', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Why a message did not arrive. */
export const MESSAGE_PROBLEMS = [
  /** The trader has no Telegram id with us. */
  'no_chat',
  /** Telegram knows no such chat, or the trader never spoke to the bot. */
  'chat_not_found',
  /** The trader has blocked the bot, or its account is gone. */
  'blocked',
  /** Telegram asks us to wait. */
  'rate_limited',
  /** Telegram did not answer, or with an error of its own. */
  'unavailable',
  /** Telegram does not take the message, or not from this bot. */
  'refused',
  /** No bot is configured. */
  'not_configured',
] as const;
export type MessageProblem = (typeof MESSAGE_PROBLEMS)[number];
