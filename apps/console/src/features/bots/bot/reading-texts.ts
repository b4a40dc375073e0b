import type { Bot } from '../bot-queries.ts';

/** Why people get no answers. */
export const READING_PROBLEMS: Record<
  NonNullable<Bot['reading_problem']>,
  { label: string; text: string }
> = {
  refused: {
    label: 'Token refused',
    text: 'Telegram does not accept the token any more, so the bot answers no one. Replace it with the one that BotFather shows.',
  },
  unreadable: {
    label: 'Token unreadable',
    text: 'The stored token could not be decrypted: the key that sealed it is not configured. Replace the token.',
  },
  other_reader: {
    label: 'Read elsewhere',
    text: 'Another program reads this bot with the same token. Stop it, or revoke the token at BotFather and replace it here.',
  },
  webhook: {
    label: 'Webhook removed',
    text: 'Another program had set a webhook, which takes all messages. It was removed. If this repeats, revoke the token at BotFather and replace it here.',
  },
  unavailable: {
    label: 'Telegram silent',
    text: 'Telegram does not answer. The bot goes on as soon as it does: nothing is lost within 24 hours.',
  },
};
