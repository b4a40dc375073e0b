import type { WorldAccount } from '../../world/index.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { VenueParts, VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

const WINDOW_MS = 5000;

/**
 * Base64 HMAC of time, method, path with raw query, and body; from key version 2 the passphrase is sent as an HMAC:
 * https://www.kucoin.com/docs-new/authentication
 */
export function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, method, path, query, body, ip } = request;
  const apiKey = headers['kc-api-key'];
  const passphrase = headers['kc-api-passphrase'];
  const timestamp = headers['kc-api-timestamp'];
  const signature = headers['kc-api-sign'];
  if (!apiKey || !passphrase || !timestamp || !signature) throw refuse(400001);
  const account = accounts.findByApiKey('kucoin', apiKey);
  if (!account || account.traits.isRevoked) throw refuse(400003);
  if (!isAllowedFrom(account, ip)) throw refuse(400006, `current ip: ${ip}`);
  if (!/^\d{13}$/.test(timestamp) || Math.abs(Number(timestamp) - now()) > WINDOW_MS) throw refuse(400002);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'kucoin') throw refuse(400003);
  const wanted = ['2', '3'].includes(headers['kc-api-key-version'] ?? '')
    ? sign(credentials.secretKey, credentials.passphrase, 'base64')
    : null;
  if (wanted === null || !isSame(passphrase, wanted)) throw refuse(400004);
  const signed = `${timestamp}${method}${path}${query ? `?${query}` : ''}${body}`;
  if (!isSame(signature, sign(credentials.secretKey, signed, 'base64'))) throw refuse(400005);
  return account;
}
