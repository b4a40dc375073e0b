import type { WorldAccount } from '../../world/index.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { VenueParts, VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

/**
 * Hex HMAC of time, key, window and the raw query (or body): https://bybit-exchange.github.io/docs/v5/guide
 * A request may be up to recv_window old, and up to a second ahead.
 */
export function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const at = now();
  const { headers, method, query, body } = request;
  const apiKey = headers['x-bapi-api-key'] ?? '';
  const timestamp = headers['x-bapi-timestamp'] ?? '';
  const window = headers['x-bapi-recv-window'] ?? '5000';
  if (!apiKey || !/^\d{13}$/.test(timestamp)) throw refuse(10001, at, 'authentication headers');
  const account = accounts.findByApiKey('bybit', apiKey);
  if (!account || account.traits.isRevoked) throw refuse(10003, at);
  if (!isAllowedFrom(account, request.ip)) throw refuse(10010, at);
  const sentAt = Number(timestamp);
  if (sentAt >= at + 1000 || sentAt < at - Number(window)) throw refuse(10002, at);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'bybit') throw refuse(10003, at);
  const signed = timestamp + apiKey + window + (method === 'GET' ? query : body);
  if (!isSame(headers['x-bapi-sign'] ?? '', sign(credentials.secretKey, signed, 'hex')))
    throw refuse(10004, at);
  return account;
}
