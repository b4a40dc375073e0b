import { createHash } from 'node:crypto';
import { getContractAddress } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';

/**
 * What every wallet of the demo world is derived from (BIP-32 seed, 64 bytes). Everybody can read it here: it is the
 * key of a chain that runs on one machine and is thrown away, and of nothing else.
 */
export const DEMO_WALLET_SEED = createHash('sha512').update('the wallets of the demo world').digest();

const master = HDKey.fromMasterSeed(DEMO_WALLET_SEED);

/** The internal wallet of a community, by the number that it has in the database: 1 and up. */
export function demoCommunityWallet(index: number): string {
  return hdKeyToAccount(master, { accountIndex: 1, addressIndex: index }).address;
}

/** The address at which the trader of a number is paid; it is also its number in the database. */
export function demoDepositAddress(index: number): `0x${string}` {
  return hdKeyToAccount(master, { addressIndex: index }).address;
}

/** Where the platform keeps the coin that its transactions cost. */
export const DEMO_GAS_WALLET = hdKeyToAccount(master, { accountIndex: 2 }).address;

/** Who deploys the token of the local chain and mints it: an account apart from those of the platform. */
export const DEMO_TOKEN_OWNER = hdKeyToAccount(master, { accountIndex: 1_000 });

/** Where the token is: the first contract of its owner. */
export const DEMO_TOKEN_ADDRESS = getContractAddress({ from: DEMO_TOKEN_OWNER.address, nonce: 0n });
