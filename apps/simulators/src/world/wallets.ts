import { createHash } from 'node:crypto';

/**
 * What every wallet of the demo world is derived from (BIP-32 seed, 64 bytes). Everybody can read it here: it is the
 * key of a chain that runs on one machine and is thrown away, and of nothing else.
 */
export const DEMO_WALLET_SEED = createHash('sha512').update('the wallets of the demo world').digest();
