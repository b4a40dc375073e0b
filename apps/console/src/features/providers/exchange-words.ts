import type { Exchange } from '@copydesk/domain';
import { exchangeName } from '../../lib/exchange-name.ts';

/** The exchanges of a provider in words; Hyperliquid is always accepted. */
export function exchangesText(supported: readonly Exchange[]): string {
  const listed = supported.filter((exchange) => exchange !== 'hyperliquid');
  return supported.length === 0 ? 'All' : [...listed, 'hyperliquid' as const].map(exchangeName).join(', ');
}
