import type { Trader } from '@copydesk/contract/traders';

type Named = Pick<Trader, 'telegram_username' | 'name'>;

/** The list's name of a trader: telegram username, else name, else N/A. */
export function listName(trader: Named): string {
  return trader.telegram_username || trader.name || 'N/A';
}

/** The detail screen's name of a trader. */
export function displayName(trader: Named): string {
  return trader.telegram_username || trader.name || 'Unknown Trader';
}
