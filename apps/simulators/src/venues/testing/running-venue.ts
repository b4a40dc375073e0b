import { createHmac } from 'node:crypto';
import type { Exchange } from '@copydesk/domain/catalogue';
import { onTestFinished } from 'vitest';
import { createWorldAccounts, type DemoCredentials, type WorldAccount } from '../../world/index.ts';
import { startVenue, type VenueOptions } from '../index.ts';

export const EPOCH = new Date('2026-03-01T10:00:00.000Z');
export const DAY_MS = 86_400_000;
export const accounts = createWorldAccounts({ epoch: EPOCH, count: 120 });

/** A clock that moves only on request. */
function createClock(at = EPOCH.getTime() + 2 * DAY_MS + 1_234_567) {
  let ms = at;
  return { now: () => ms, advance: (by: number) => (ms += by) };
}

/** A venue that ends with the test. */
export async function runVenue(venue: Exchange, options: Partial<VenueOptions> = {}) {
  const clock = createClock();
  const running = await startVenue({ venue, accounts, now: clock.now, rateLimits: 'off', ...options });
  onTestFinished(() => running.close());
  return { ...running, clock };
}

/** The spare account with a name. */
export function spare(venue: Exchange, name: string): WorldAccount {
  const found = accounts.list(venue).find(({ spareName }) => spareName === name);
  if (!found) throw new Error(`${venue} has no ${name}`);
  return found;
}

/** An account with much trading before and after the epoch. */
export function busiest(venue: Exchange): WorldAccount {
  const usable = accounts
    .list(venue)
    .filter(({ isTrading, equity, traits }) => isTrading && equity && !traits.isRevoked)
    .filter(({ traits }) => traits.ipWhitelist.length === 0 || traits.ipWhitelist.includes('127.0.0.1'));
  const found = usable.toSorted((a, b) => b.history().length - a.history().length)[0];
  if (!found) throw new Error(`no account trades on ${venue}`);
  return found;
}

export function keysOf(account: WorldAccount): Extract<DemoCredentials, { apiKey: string }> {
  const credentials = accounts.credentialsOf(account);
  if (!('apiKey' in credentials)) throw new Error('no API key');
  return credentials;
}

export const hmac = (secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(text).digest(encoding);

export interface ReceivedAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the venue says; the tests say what it must be.
  body: any;
}

export async function ask(url: string, init: RequestInit = {}): Promise<ReceivedAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
