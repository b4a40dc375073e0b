/** Exchanges that traders can connect (console spec, section 3). */
export const EXCHANGES = ['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid'] as const;
export type Exchange = (typeof EXCHANGES)[number];

/** The exchanges' own spelling. */
export const EXCHANGE_NAMES = {
  bybit: 'Bybit',
  binance: 'Binance',
  okx: 'OKX',
  kucoin: 'KuCoin',
  hyperliquid: 'Hyperliquid',
} as const satisfies Record<Exchange, string>;

/** Exchanges in a provider's own list (super-admin spec, section 5). */
export const PROVIDER_EXCHANGES = [
  'bybit',
  'binance',
  'okx',
  'kucoin',
] as const satisfies readonly Exchange[];

/**
 * Whether a provider works with an exchange: its list names it, or is empty, which means all. Hyperliquid is in no list
 * and always accepted (super-admin spec, section 3).
 */
export function supportsExchange(supported: readonly Exchange[], exchange: Exchange): boolean {
  return exchange === 'hyperliquid' || supported.length === 0 || supported.includes(exchange);
}

/** Languages of messages to traders. */
export const LANGUAGES = ['en', 'es', 'ar', 'pl', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Recipients of parts of an invoice. */
export const RECIPIENT_TYPES = [
  'mark',
  'community',
  'community_referrer',
  'trader_referrer',
  'hexmount',
  'sixk',
  'tip',
] as const;
export type RecipientType = (typeof RECIPIENT_TYPES)[number];

/** Harvest cycle states of a pool (super-admin spec, section 4). */
export const HARVEST_STATUSES = [
  'harvesting',
  'stopped',
  'starting_harvesting',
  'stopping_harvesting',
  'awaiting_bybit_withdrawal',
  'processing_invoices',
  'failed',
] as const;
export type HarvestStatus = (typeof HARVEST_STATUSES)[number];

/** States of a payout, from its creation to its last transaction. */
export const PAYOUT_STATUSES = [
  'pending',
  'consolidating',
  'consolidated',
  'distributing',
  'distributed',
  'failed',
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
