import type { Exchange } from '@copydesk/domain';
import type { ExchangeCredentials, VenueSettings } from '../gateway.ts';
import type { VenueFetch } from '../transport/venue-fetch.ts';
import { type CcxtInstance, loadCcxtClass } from './load-ccxt.ts';

/** What ccxt is told of an account: never hyperliquid's private key, with which it would post signed messages. */
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

/** Replaces scheme, host and port of every address and keeps its path, which is signed on some venues. */
function moveTo(baseUrl: string, addresses: Record<string, string>): Record<string, string> {
  const { origin } = new URL(baseUrl);
  const moved = Object.entries(addresses).map(([name, address]) => {
    const { pathname } = new URL(address.replace('{hostname}', 'hostname'));
    return [name, origin + (pathname === '/' ? '' : pathname)];
  });
  return Object.fromEntries(moved);
}

/**
 * A ccxt instance of one account, or of nobody. Its credentials are never changed afterwards: it signs after an
 * await, and would sign one account's request with the other's key.
 */
export async function createCcxtInstance(
  exchange: Exchange,
  credentials: ExchangeCredentials | null,
  settings: VenueSettings,
  fetch: VenueFetch,
  now: () => number,
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
  instance.fetchImplementation = fetch;
  // One clock for what is signed, cached and waited for.
  instance.milliseconds = now;
  // ccxt would look for packages of proxies that we do not use, again for each instance.
  instance.proxiesModulesLoading = Promise.resolve();
  if (settings.baseUrl !== undefined) instance.urls.api = moveTo(settings.baseUrl, instance.urls.api);
  return instance;
}
