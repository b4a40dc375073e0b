import type { WorldAccount } from '../../world/index.ts';
import { isAllowedFrom } from '../signing/allowed-address.ts';
import { isSame, sign } from '../signing/signatures.ts';
import type { VenueParts, VenueRequest } from '../venue.ts';
import { refuse } from './answers.ts';

const WINDOW_MS = 30_000;

/** Base64 HMAC of time, method, path with raw query, and body: https://www.okx.com/docs-v5/en/#overview-rest-authentication */
export function authenticate({ accounts, now }: VenueParts, request: VenueRequest): WorldAccount {
  const { headers, method, path, query, body, ip } = request;
  const apiKey = headers['ok-access-key'];
  const passphrase = headers['ok-access-passphrase'];
  const timestamp = headers['ok-access-timestamp'];
  const signature = headers['ok-access-sign'];
  if (!apiKey) throw refuse(50103);
  if (!passphrase) throw refuse(50104);
  if (!signature) throw refuse(50106);
  if (!timestamp) throw refuse(50107);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp)) throw refuse(50112);
  const account = accounts.findByApiKey('okx', apiKey);
  if (!account) throw refuse(50111);
  // A revoked key gets another code than an unknown one.
  if (account.traits.isRevoked) throw refuse(50119);
  if (!isAllowedFrom(account, ip)) throw refuse(50110);
  if (Math.abs(Date.parse(timestamp) - now()) > WINDOW_MS) throw refuse(50102);
  const credentials = accounts.credentialsOf(account);
  if (credentials.exchange !== 'okx') throw refuse(50111);
  if (!isSame(passphrase, credentials.passphrase)) throw refuse(50105);
  const signed = `${timestamp}${method}${path}${query ? `?${query}` : ''}${body}`;
  if (!isSame(signature, sign(credentials.secretKey, signed, 'base64'))) throw refuse(50113);
  return account;
}
