import type { PlatformBot } from '../settings-queries.ts';

/** The bot that the worker uses. */
export function botName(bot: PlatformBot['in_use']): string {
  if (bot === null) return 'Known once a worker has run';
  if (bot.source === 'none') return 'None: messages cannot be sent';
  return bot.username === null ? `Bot ${bot.telegram_id ?? 'unknown'}` : `@${bot.username}`;
}

/** Where the token comes from. */
export function tokenWords({ is_locked, stored_telegram_id, in_use }: PlatformBot): string {
  if (is_locked) return "Locked by the server's configuration";
  if (stored_telegram_id !== null) return 'Stored encrypted';
  return in_use?.source === 'environment' ? "From the server's configuration" : 'Not set';
}
