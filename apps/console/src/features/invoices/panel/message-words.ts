import type { MessageKind, MessageProblem } from '@copydesk/domain';

export const KINDS: Record<MessageKind, string> = {
  invoice_created: 'New invoice',
  invoice_due_soon: 'Due soon',
  invoice_overdue: 'Overdue',
  invoice_paid: 'Paid',
  unpaid_invoices: 'Unpaid invoices',
  wallet_changed: 'Wallet changed',
  wallet_confirmed: 'Wallet confirmed',
  wallet_disowned: 'Wallet not theirs',
  wallet_no_effect: 'Answer without effect',
  withdrawal_ordered: 'Withdrawal ordered',
  withdrawal_needs_address: 'Asked for an address',
  withdrawal_refused: 'Withdrawal refused',
};

export const PROBLEMS: Record<MessageProblem, string> = {
  no_chat: 'The trader has no Telegram ID',
  chat_not_found: 'The trader has never spoken to the bot',
  blocked: 'The trader has blocked the bot',
  rate_limited: 'Telegram limited the rate',
  unavailable: 'Telegram did not answer',
  refused: 'Telegram rejected the message',
  not_configured: 'No bot is configured',
};
