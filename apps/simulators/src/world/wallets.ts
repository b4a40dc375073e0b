import { createHash } from 'node:crypto';
import { getAddress, getContractAddress } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';

/**
 * The seed of all wallets in the demo world (BIP-32, 64 bytes). It is public on purpose: it controls nothing but a
 * disposable chain on one machine.
 */
export const DEMO_WALLET_SEED = createHash('sha512').update('the wallets of the demo world').digest();

const master = HDKey.fromMasterSeed(DEMO_WALLET_SEED);

/** A wallet that is not ours, from 40 hexadecimal digits: written as an address is, with its checksum. */
export const strangersWallet = (hex: string): string => getAddress(`0x${hex}`);

/** The internal wallet of a community, by its number in the database: 1 and up. */
export function demoCommunityWallet(index: number): string {
  return hdKeyToAccount(master, { accountIndex: 1, addressIndex: index }).address;
}

/** The deposit address of a trader by number, which is also its number in the database. */
export function demoDepositAddress(index: number): `0x${string}` {
  return hdKeyToAccount(master, { addressIndex: index }).address;
}

/** The address of a pool member by its number in the database: a branch of the account of deposit addresses. */
export function demoPoolAddress(index: number): `0x${string}` {
  return hdKeyToAccount(master, { changeIndex: 1, addressIndex: index }).address;
}

/** The proxy wallet of a pool by its number in the database. */
export function demoProxyWallet(index: number): `0x${string}` {
  return hdKeyToAccount(master, { accountIndex: 3, addressIndex: index }).address;
}

/** The platform's wallet for the coin that its transactions cost. */
export const DEMO_GAS_WALLET = hdKeyToAccount(master, { accountIndex: 2 }).address;

/** Deploys the token of the local chain and mints it: an account apart from those of the platform. */
export const DEMO_TOKEN_OWNER = hdKeyToAccount(master, { accountIndex: 1_000 });

/** The token's address: the first contract of its owner. */
export const DEMO_TOKEN_ADDRESS = getContractAddress({ from: DEMO_TOKEN_OWNER.address, nonce: 0n });
