import type { MessageProblem } from '@copydesk/domain/messages';
import type { BotMessage } from '../bot-queries.ts';

/** Why a message of a bot did not arrive. */
export const MESSAGE_PROBLEM_WORDS: Record<MessageProblem, string> = {
  no_chat: 'The person has no Telegram ID',
  chat_not_found: 'Telegram knows no such chat',
  blocked: 'The person has blocked the bot',
  rate_limited: 'Telegram limited the rate',
  unavailable: 'Telegram did not answer',
  refused: 'Telegram rejected the message',
  not_configured: 'No bot is configured',
};

export const personName = ({
  name,
  telegram_username: username,
  telegram_user_id: id,
}: Pick<BotMessage, 'name' | 'telegram_username' | 'telegram_user_id'>): string =>
  name ?? (username ? `@${username}` : id);
