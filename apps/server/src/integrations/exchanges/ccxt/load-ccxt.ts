import type { Exchange } from '@copydesk/domain/catalogue';

/** The part of a ccxt instance that we use: it signs, sends through our transport, and names its errors by class. */
export interface CcxtInstance {
  urls: { api: Record<string, string> };
  enableRateLimit: boolean;
  timeout: number;
  fetchImplementation: unknown;
  proxiesModulesLoading: unknown;
  /** Its tables of the venue's codes. */
  exceptions: unknown;
  [implicitMethod: string]: unknown;
}

export type CcxtClass = new (settings: Record<string, unknown>) => CcxtInstance;

/** binanceusdm and kucoinfutures are the derivatives accounts; the plain names would be the spot ones. */
const FILES: Record<Exchange, string> = {
  bybit: 'bybit',
  binance: 'binanceusdm',
  okx: 'okx',
  kucoin: 'kucoinfutures',
  hyperliquid: 'hyperliquid',
};

const loading = new Map<Exchange, Promise<CcxtClass>>();

/**
 * The ccxt class of one venue. The package exports only all of its hundred venues at once, which takes a second and 130
 * MB. This imports a venue's file by path, so the version is pinned.
 */
export function loadCcxtClass(exchange: Exchange): Promise<CcxtClass> {
  const known = loading.get(exchange);
  if (known) return known;
  const file = new URL(`./src/${FILES[exchange]}.js`, import.meta.resolve('ccxt'));
  const imported = import(file.href).then((module: { default: CcxtClass }) => module.default);
  loading.set(exchange, imported);
  imported.catch(() => loading.delete(exchange));
  return imported;
}
