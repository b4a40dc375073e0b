/** Kinds of messages to traders about invoices. */
export const INVOICE_MESSAGE_KINDS = [
  'invoice_created',
  'invoice_due_soon',
  'invoice_overdue',
  'invoice_paid',
  'invoice_recalled',
  'unpaid_invoices',
] as const;
export type InvoiceMessageKind = (typeof INVOICE_MESSAGE_KINDS)[number];

/** Kinds of messages to traders about their wallet. */
export const WALLET_MESSAGE_KINDS = ['wallet_changed', 'withdrawal_ordered'] as const;
export type WalletMessageKind = (typeof WALLET_MESSAGE_KINDS)[number];

/** Kinds of messages to members of pools about a withdrawal that is not paid. */
export const WITHDRAWAL_MESSAGE_KINDS = ['withdrawal_needs_address', 'withdrawal_refused'] as const;
export type WithdrawalMessageKind = (typeof WITHDRAWAL_MESSAGE_KINDS)[number];

/** Kinds of answers to what the owner of a changed wallet said of it. */
export const WALLET_ANSWER_KINDS = ['wallet_confirmed', 'wallet_disowned', 'wallet_no_effect'] as const;
export type WalletAnswerKind = (typeof WALLET_ANSWER_KINDS)[number];

/** Kinds of messages to traders about the keys of their exchange accounts. */
export const KEY_MESSAGE_KINDS = ['key_failing', 'key_ending'] as const;
export type KeyMessageKind = (typeof KEY_MESSAGE_KINDS)[number];

/** Kinds of messages to traders. */
export const MESSAGE_KINDS = [
  ...INVOICE_MESSAGE_KINDS,
  ...WALLET_MESSAGE_KINDS,
  ...WALLET_ANSWER_KINDS,
  ...WITHDRAWAL_MESSAGE_KINDS,
  ...KEY_MESSAGE_KINDS,
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Kinds of messages to owners of communities. */
export const OWNER_MESSAGE_KINDS = ['withdraw_funds', 'withdraw_reminder', 'withdrawal_cancelled'] as const;
export type OwnerMessageKind = (typeof OWNER_MESSAGE_KINDS)[number];

/** `queued` messages are sent or retried automatically; a `failed` one needs manual action. */
export const MESSAGE_STATES = ['queued', 'sent', 'failed'] as const;

/**
 * What became of a message, for lists. `not_delivered`: it failed within 30 days, and none since has reached
 * the person; `waiting`: it is queued; `overtaken`: it failed, and is no longer of interest.
 */
export const MESSAGE_OUTCOMES = ['not_delivered', 'waiting', 'sent', 'overtaken'] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];

/** Why a message did not arrive. */
export const MESSAGE_PROBLEMS = [
  /** The trader has no Telegram id. */
  'no_chat',
  /** Telegram knows no such chat, or the trader never wrote to the bot. */
  'chat_not_found',
  /** The trader has blocked the bot or deleted the account. */
  'blocked',
  /** Telegram asks us to wait. */
  'rate_limited',
  /** Telegram did not answer, or returned a server error. */
  'unavailable',
  /** Telegram refuses the message, or this bot. */
  'refused',
  /** No bot is configured. */
  'not_configured',
] as const;
export type MessageProblem = (typeof MESSAGE_PROBLEMS)[number];

/** Messages that one call sends again, few enough to release their locks quickly. */
export const MOST_MESSAGES_RETRIED = 1_000;

/** Why a selected message is not sent again. */
export const RETRY_REASONS = [
  /** It was sent, or waits. */
  'not_failed',
  /** Its addressee has no Telegram id. */
  'no_chat',
  /** Its invoice was recalled. */
  'recalled',
  /** It was deleted, or is not seen by the caller. */
  'gone',
] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** A message as its reader sees it: Telegram's markup (https://core.telegram.org/bots/api#html-style) is not text. */
export const plainMessage = (text: string): string =>
  text
    .replace(/<\/?[a-z][^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
