import { createHash } from 'node:crypto';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { apiKeyOf, credentialsOf } from './credentials.ts';

/** Bybit's own keys in the demo world: public on purpose, as all keys of the simulated chain. */
const bank = HDKey.fromMasterSeed(createHash('sha512').update('the bank of the demo world').digest());

/** Bybit's wallet for withdrawals. */
export const DEMO_HOT_WALLET = hdKeyToAccount(bank);

/** A wallet of the owners' own, outside Bybit. */
export const DEMO_OUTSIDE_WALLET = hdKeyToAccount(bank, { accountIndex: 2 });

/** The Bybit account of one pool. */
export interface DemoPoolAccount {
  /** From 1. */
  index: number;
  /** The venue's id of it. */
  uid: string;
  credentials: { exchange: 'bybit'; apiKey: string; secretKey: string };
  /** Where the venue takes deposits for it. */
  depositAddress: `0x${string}`;
}

/** The same account for the same number, always. */
export function demoPoolAccount(index: number): DemoPoolAccount {
  const keyed = { id: `pool ${index}`, exchange: 'bybit' as const, masterAddress: null };
  const credentials = credentialsOf(keyed);
  if (credentials.exchange !== 'bybit') throw new Error('a pool lies at Bybit');
  return {
    index,
    uid: String(70_000_000 + index),
    credentials: { exchange: 'bybit', apiKey: apiKeyOf(keyed), secretKey: credentials.secretKey },
    depositAddress: hdKeyToAccount(bank, { accountIndex: 1, addressIndex: index }).address,
  };
}
