import { momentWords } from '../../../lib/format/read-time.ts';
import type { PlatformBot } from '../settings-queries.ts';

/** The bot that the worker uses. */
export function botName(bot: PlatformBot['in_use']): string {
  if (bot === null) return 'Known once a worker has run';
  if (bot.source === 'none') return 'None: messages cannot be sent';
  return bot.username === null ? `Bot ${bot.telegram_id ?? 'unknown'}` : `@${bot.username}`;
}

/** Why the answers of owners are not read. */
export const READING_PROBLEMS: Record<
  NonNullable<NonNullable<PlatformBot['reading']>['problem']>,
  { label: string; text: string }
> = {
  refused: { label: 'Token refused', text: 'Telegram does not accept the token any more.' },
  other_reader: {
    label: 'Read elsewhere',
    text: 'Another program reads this bot with the same token, so confirmations of payout addresses do not arrive here. Stop it, or revoke the token at BotFather and replace it here.',
  },
  webhook: {
    label: 'Webhook set',
    text: 'Another program has set a webhook, which takes all messages, so confirmations of payout addresses do not arrive here. It was left as it is. Remove it, or use another bot.',
  },
  unavailable: {
    label: 'Telegram silent',
    text: 'Telegram does not answer. Nothing is lost within 24 hours.',
  },
};

/** Whether owners of payout addresses can confirm them. */
export function readingWords({ reading, in_use }: PlatformBot): string {
  if (in_use?.source === 'none') return 'Without a bot, owners cannot confirm their addresses';
  if (!reading) return 'Known once a worker has read the bot';
  if (reading.problem) return READING_PROBLEMS[reading.problem].label;
  return Date.parse(reading.counts_from) > Date.now()
    ? `Count from ${momentWords(reading.counts_from)}, 30 days after this bot was set`
    : 'Owners confirm their payout addresses by this bot';
}

/** Where the token comes from. */
export function tokenWords({ is_locked, stored_telegram_id, in_use }: PlatformBot): string {
  if (is_locked) return "Locked by the server's configuration";
  if (stored_telegram_id !== null) return 'Stored encrypted';
  return in_use?.source === 'environment' ? "From the server's configuration" : 'Not set';
}
