import type { MessageProblem } from '@copydesk/domain/messages';

/** Why a Telegram bot does not work. */
export const BOT_PROBLEMS: Record<'refused' | 'unavailable' | 'unreadable', { label: string; text: string }> =
  {
    refused: {
      label: 'Token refused',
      text: 'Telegram does not accept the token any more. Replace it with the one that BotFather shows.',
    },
    unavailable: { label: 'No answer', text: 'Telegram could not be reached. Check the bot again later.' },
    unreadable: {
      label: 'Token unreadable',
      text: 'The stored token could not be decrypted: the key that sealed it is not configured. Replace the token.',
    },
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
