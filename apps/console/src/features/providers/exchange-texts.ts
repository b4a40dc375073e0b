import type { Exchange } from '@copydesk/domain/catalogue';
import { exchangeName } from '../../lib/format/exchange-name.ts';

/** The exchanges that a provider lists, in words. Hyperliquid is accepted also where it is not listed. */
export function exchangesText(supported: readonly Exchange[]): string {
  if (supported.length === 0) return 'All';
  const listed = supported.map(exchangeName).join(', ');
  return supported.includes('hyperliquid') ? listed : `${listed} (Hyperliquid always)`;
}
