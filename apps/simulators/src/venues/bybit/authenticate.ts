import { isSame, sign } from '../signing/signatures.ts';
import type { VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

/** The facts about a key that the checks of a request need. */
export interface KeyHolder {
  secretKey: string;
  isRevoked: boolean;
  /** Empty: any address. */
  ips: readonly string[];
}

/**
 * Hex HMAC of time, key, window and the raw query (or body): https://bybit-exchange.github.io/docs/v5/guide
 * A request may be up to recv_window old, and up to a second ahead.
 */
export function authenticate<H extends KeyHolder>(
  find: (apiKey: string) => H | null,
  request: VenueRequest,
  at: number,
): H {
  const { headers, method, query, body } = request;
  const apiKey = headers['x-bapi-api-key'] ?? '';
  const timestamp = headers['x-bapi-timestamp'] ?? '';
  const window = headers['x-bapi-recv-window'] ?? '5000';
  if (!apiKey || !/^\d{13}$/.test(timestamp)) throw refuse(10001, at, 'authentication headers');
  const holder = find(apiKey);
  if (!holder || holder.isRevoked) throw refuse(10003, at);
  if (holder.ips.length > 0 && !holder.ips.includes(request.ip)) throw refuse(10010, at);
  const sentAt = Number(timestamp);
  if (sentAt >= at + 1000 || sentAt < at - Number(window)) throw refuse(10002, at);
  const signed = timestamp + apiKey + window + (method === 'GET' ? query : body);
  if (!isSame(headers['x-bapi-sign'] ?? '', sign(holder.secretKey, signed, 'hex'))) throw refuse(10004, at);
  return holder;
}
