import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { VenueSettings } from '../gateway.ts';

/** One pool of connections for all accounts of a venue; ccxt would open one for each instance. */
export function createDispatcher({ proxyUrl, timeoutMs }: VenueSettings): Dispatcher {
  const pool = { connections: 64, pipelining: 1, keepAliveTimeout: 30_000, allowH2: false };
  return proxyUrl === undefined
    ? new Agent({ ...pool, connect: { timeout: timeoutMs }, autoSelectFamily: true })
    : new ProxyAgent({ ...pool, uri: proxyUrl });
}
