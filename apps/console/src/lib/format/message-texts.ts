import type { CallAnswer } from '@copydesk/contract';
import type { MessageProblem } from '@copydesk/domain/messages';

/** A message of the platform's bot. */
export type Message = CallAnswer<'GET /api/messages'>['data'][number];

/** A message of the bot of a community. */
export type BotMessage = CallAnswer<'GET /api/exchange-bot/{id}/messages'>['data'][number];

/** What a message is about. */
export const MESSAGE_KIND_NAMES: Record<Message['kind'], string> = {
  invoice_created: 'New invoice',
  invoice_due_soon: 'Due soon',
  invoice_overdue: 'Overdue',
  invoice_paid: 'Paid',
  invoice_recalled: 'Invoice recalled',
  unpaid_invoices: 'Unpaid invoices',
  wallet_changed: 'Wallet changed',
  wallet_confirmed: 'Wallet confirmed',
  wallet_disowned: 'Wallet not theirs',
  wallet_no_effect: 'Answer without effect',
  withdrawal_ordered: 'Withdrawal ordered',
  withdrawal_needs_address: 'Asked for an address',
  withdrawal_refused: 'Withdrawal refused',
  key_failing: 'New key asked for',
  key_ending: 'New key asked for in time',
  withdraw_funds: 'Withdraw funds',
  withdraw_reminder: 'Withdraw funds, reminder',
  withdrawal_cancelled: 'Withdrawal not needed',
  trial_ending: 'Trial ending',
  payment_failed: 'Payment failed',
  grace_ending: 'Access ending',
  subscription_ended: 'Subscription ended',
  payment_link: 'Payment link',
};

/** Why a message to a trader did not arrive. */
export const MESSAGE_PROBLEM_TEXTS: Record<MessageProblem, string> = {
  no_chat: 'The trader has no Telegram ID',
  chat_not_found: 'The trader has never spoken to the bot',
  blocked: 'The trader has blocked the bot',
  rate_limited: 'Telegram limited the rate',
  unavailable: 'Telegram did not answer',
  refused: 'Telegram rejected the message',
  not_configured: 'No bot is configured',
};

/** Names of the causes, to choose from. */
export const MESSAGE_PROBLEM_NAMES: Record<MessageProblem, string> = {
  no_chat: 'No Telegram ID',
  chat_not_found: 'Never spoke to the bot',
  blocked: 'Bot blocked',
  rate_limited: 'Rate limited',
  unavailable: 'No answer',
  refused: 'Rejected',
  not_configured: 'No bot',
};

/** Why a message to a trader, or to the owner of a community, did not arrive. */
export const messageProblem = (problem: MessageProblem, isToTrader: boolean): string =>
  isToTrader
    ? MESSAGE_PROBLEM_TEXTS[problem]
    : MESSAGE_PROBLEM_TEXTS[problem].replace('The trader', 'The owner');

/** Why a message of the bot of a community did not arrive. */
export const BOT_MESSAGE_PROBLEMS: Record<MessageProblem, string> = {
  no_chat: 'The person has no Telegram ID',
  chat_not_found: 'Telegram knows no such chat',
  blocked: 'The person has blocked the bot',
  rate_limited: 'Telegram limited the rate',
  unavailable: 'Telegram did not answer',
  refused: 'Telegram rejected the message',
  not_configured: 'No bot is configured',
};

/** Whom a bot has written to. */
export const personName = ({
  name,
  telegram_username: username,
  telegram_user_id: id,
}: Pick<BotMessage, 'name' | 'telegram_username' | 'telegram_user_id'>): string =>
  name ?? (username ? `@${username}` : id);
