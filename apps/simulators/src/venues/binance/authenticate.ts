import type { WorldAccount } from '../../world/index.ts';
import { integerOf } from '../http/parameters.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { VenueParts, VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

const RECV_WINDOW_MS = 5000;
const RECV_WINDOW_MS_AT_MOST = 60_000;

/**
 * Hex HMAC of the raw query up to `&signature=`, and of the body:
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/general-info The same code refuses a key that
 * is unknown, revoked, used from another address or not allowed to do this.
 */
export function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, params, query, body, ip } = request;
  const apiKey = headers['x-mbx-apikey'] ?? '';
  if (!/^[A-Za-z0-9]{64}$/.test(apiKey)) throw refuse(-2014);
  const sentAt = integerOf(params, 'timestamp');
  const recvWindow = integerOf(params, 'recvWindow') ?? RECV_WINDOW_MS;
  const given = params.get('signature');
  if (typeof sentAt !== 'number') throw refuse(-1102, 'timestamp');
  if (!given) throw refuse(-1102, 'signature');
  if (recvWindow > RECV_WINDOW_MS_AT_MOST) throw refuse(-1130, 'recvWindow');
  const account = accounts.findByApiKey('binance', apiKey);
  if (!account || account.traits.isRevoked || !isAllowedFrom(account, ip)) throw refuse(-2015);
  const at = now();
  if (sentAt >= at + 1000 || at - sentAt > recvWindow) throw refuse(-1021);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'binance') throw refuse(-2015);
  const signed = query.replace(/&signature=[^&]*$/, '') + body;
  if (!isSame(given, sign(credentials.secretKey, signed, 'hex'))) throw refuse(-1022);
  return account;
}
