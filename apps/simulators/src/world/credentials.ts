import { createHash } from 'node:crypto';
import { Address, Secp256k1 } from 'ox';
import type { DemoAccount } from './trader.ts';

/** The credentials of an account, in the shape that the gateway takes. */
export type DemoCredentials =
  | { exchange: 'bybit' | 'binance'; apiKey: string; secretKey: string }
  | { exchange: 'okx' | 'kucoin'; apiKey: string; secretKey: string; passphrase: string }
  | {
      exchange: 'hyperliquid';
      masterAddress: string;
      agentAddress: string;
      agentPrivateKey: `0x${string}`;
    };

export type KeyedAccount = Pick<DemoAccount, 'id' | 'exchange' | 'masterAddress'>;

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The credentials of a demo account, in its venue's format: computed from its id alone, and distinct for each.
 * Hyperliquid's need a multiplication on the curve (0.4 ms); all others take microseconds.
 */
export function credentialsOf(account: KeyedAccount): DemoCredentials {
  const { exchange } = account;
  if (exchange === 'hyperliquid') {
    const agentPrivateKey = agentPrivateKeyOf(account);
    return {
      exchange,
      masterAddress: account.masterAddress ?? '',
      agentAddress: Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: agentPrivateKey }), {
        checksum: true,
      }),
      agentPrivateKey,
    };
  }
  const apiKey = apiKeyOf(account);
  if (exchange === 'bybit') return { exchange, apiKey, secretKey: alphanumeric(account, 'secret', 36) };
  if (exchange === 'binance') return { exchange, apiKey, secretKey: alphanumeric(account, 'secret', 64) };
  const passphrase = `Demo-${alphanumeric(account, 'passphrase', 12)}`;
  if (exchange === 'okx')
    return { exchange, apiKey, secretKey: hex(account, 'secret', 32).toUpperCase(), passphrase };
  return { exchange, apiKey, secretKey: uuid(account, 'secret'), passphrase };
}

/** The agent's key alone, without the computation of its address. */
export function agentPrivateKeyOf(account: KeyedAccount): `0x${string}` {
  return `0x${hex(account, 'agent', 64)}`;
}

/** The API key alone, for venues that have one. */
export function apiKeyOf(account: KeyedAccount): string {
  if (account.exchange === 'okx') return uuid(account, 'key');
  if (account.exchange === 'kucoin') return hex(account, 'key', 24);
  return alphanumeric(account, 'key', account.exchange === 'bybit' ? 18 : 64);
}

/** 64 bytes that depend only on the account and the purpose. */
function digest(account: KeyedAccount, purpose: string): Buffer {
  return createHash('sha512').update(`copydesk demo ${purpose} ${account.id}`).digest();
}

function alphanumeric(account: KeyedAccount, purpose: string, length: number): string {
  return Array.from(digest(account, purpose).subarray(0, length), (byte) => ALPHANUMERIC[byte % 62]).join('');
}

function hex(account: KeyedAccount, purpose: string, digits: number): string {
  return digest(account, purpose).toString('hex').slice(0, digits);
}

function uuid(account: KeyedAccount, purpose: string): string {
  const h = hex(account, purpose, 32);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20)}`;
}
