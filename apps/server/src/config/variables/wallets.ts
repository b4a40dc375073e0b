import { z } from 'zod';
import { type Variables, WORKER } from '../variable.ts';

/** The seed of the wallets. It is read apart from the rest, by workers alone: `readWalletSeed` in config.ts. */
export const WALLET_VARIABLES = {
  WALLET_SEED: {
    schema: z.string().optional(),
    isWithheldFromApi: true,
    readers: WORKER,
    meaning:
      'BIP-32 seed of all wallets, 16 to 64 bytes in hexadecimal; needs `CHAIN_RPC_URLS`. Unset: nothing is paid out',
  },
} satisfies Variables;
