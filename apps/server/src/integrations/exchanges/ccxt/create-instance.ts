import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeCredentials } from '@copydesk/domain/trading';
import type { VenueSettings } from '../gateway.ts';
import type { VenueFetch } from '../transport/venue-fetch.ts';
import { type CcxtInstance, loadCcxtClass } from './load-ccxt.ts';

/** The credentials that ccxt receives: never hyperliquid's private key, with which it would post signed messages. */
function ccxtCredentials(credentials: ExchangeCredentials | null): Record<string, string> {
  if (credentials === null) return {};
  switch (credentials.exchange) {
    case 'bybit':
    case 'binance':
      return { apiKey: credentials.apiKey, secret: credentials.secretKey };
    case 'okx':
    case 'kucoin':
      return {
        apiKey: credentials.apiKey,
        secret: credentials.secretKey,
        password: credentials.passphrase,
      };
    case 'hyperliquid':
      return {};
  }
}

/** Replaces scheme, host and port of every address and keeps the path, which some venues sign. */
function moveTo(baseUrl: string, addresses: Record<string, string>): Record<string, string> {
  const { origin } = new URL(baseUrl);
  const moved = Object.entries(addresses).map(([name, address]) => {
    const { pathname } = new URL(address.replace('{hostname}', 'hostname'));
    return [name, origin + (pathname === '/' ? '' : pathname)];
  });
  return Object.fromEntries(moved);
}

/** ccxt's two names for each call of a venue: publicGetV5Time and public_get_v5_time. */
const CALL_OF_VENUE = /^[a-z]\w*?(Get|Post|Put|Delete|Patch|Head)[A-Z]|_(get|post|put|delete|patch|head)_/;

/**
 * Removes all calls but ours, and data used only by ccxt's unified methods: thousands of functions and half of the
 * memory (248 KB become 136 on bybit, 429 become 126 on binance).
 */
function slimDown(instance: CcxtInstance, kept: ReadonlySet<string>): void {
  for (const name of Object.keys(instance))
    if (CALL_OF_VENUE.test(name) && typeof instance[name] === 'function' && !kept.has(name))
      delete instance[name];
  instance.api = {};
  instance.features = {};
}

/**
 * A ccxt instance of one account, or without one. Its credentials never change: it signs after an await, and would sign
 * one account's request with the other's key.
 */
export async function createCcxtInstance(
  exchange: Exchange,
  credentials: ExchangeCredentials | null,
  settings: VenueSettings,
  { fetch, calls, now }: { fetch: VenueFetch; calls: ReadonlySet<string>; now: () => number },
): Promise<CcxtInstance> {
  const Venue = await loadCcxtClass(exchange);
  const instance = new Venue({
    ...ccxtCredentials(credentials),
    userAgent: 'Copydesk',
    enableRateLimit: false,
    timeout: settings.timeoutMs,
    enableLastHttpResponse: false,
    enableLastJsonResponse: false,
    enableLastResponseHeaders: false,
  });
  slimDown(instance, calls);
  instance.fetchImplementation = fetch;
  // One clock for signatures, caches and waits.
  instance.milliseconds = now;
  // ccxt would look for unused proxy packages, again for each instance.
  instance.proxiesModulesLoading = Promise.resolve();
  if (settings.baseUrl !== undefined) instance.urls.api = moveTo(settings.baseUrl, instance.urls.api);
  return instance;
}
