import { HDKey } from '@scure/bip32';
import { bytesToHex, type LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Whose wallet it is, and where its key is below the seed. */
export interface WalletPlace {
  role: 'gas' | 'community' | 'deposit';
  keyIndex: number;
}

/** Signs for the wallets below one seed. */
export interface WalletKeys {
  /** @returns the account of a wallet: its address, and what signs for it */
  at(place: WalletPlace): LocalAccount;
}

/** The BIP-44 account of each role; that of deposits is the one whose public key gives traders their addresses. */
const ACCOUNTS = { deposit: 0, community: 1, gas: 2 } as const;

/**
 * Keys at `m/44'/60'/account'/0/index` (BIP-44, coin type 60 of SLIP-44), derived when they are asked for.
 * @param seed BIP-32 seed, 16 to 64 bytes: who has it can spend everything. Only the worker does.
 */
export function createWalletKeys(seed: Uint8Array): WalletKeys {
  const master = HDKey.fromMasterSeed(seed);
  const roots = new Map<WalletPlace['role'], HDKey>();
  const rootOf = (role: WalletPlace['role']) => {
    const root = roots.get(role) ?? master.derive(`m/44'/60'/${ACCOUNTS[role]}'/0`);
    roots.set(role, root);
    return root;
  };
  return {
    at({ role, keyIndex }) {
      const { privateKey } = rootOf(role).deriveChild(keyIndex);
      if (!privateKey) throw new Error('a private key derives private keys');
      return privateKeyToAccount(bytesToHex(privateKey));
    },
  };
}
