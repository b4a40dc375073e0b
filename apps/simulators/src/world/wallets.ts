import { createHash } from 'node:crypto';
import { getContractAddress } from 'viem';
import { HDKey, hdKeyToAccount } from 'viem/accounts';

/**
 * What every wallet of the demo world is derived from (BIP-32 seed, 64 bytes). Everybody can read it here: it is the
 * key of a chain that runs on one machine and is thrown away, and of nothing else.
 */
export const DEMO_WALLET_SEED = createHash('sha512').update('the wallets of the demo world').digest();

/** Who deploys the token of the local chain and mints it: an account apart from those of the platform. */
export const DEMO_TOKEN_OWNER = hdKeyToAccount(HDKey.fromMasterSeed(DEMO_WALLET_SEED), {
  accountIndex: 1_000,
});

/** Where the token is: the first contract of its owner. */
export const DEMO_TOKEN_ADDRESS = getContractAddress({ from: DEMO_TOKEN_OWNER.address, nonce: 0n });
