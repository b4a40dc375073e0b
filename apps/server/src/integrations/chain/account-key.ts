import { HDKey } from '@scure/bip32';

/**
 * The extended public key of the account whose addresses receive deposits (`m/44'/60'/0'`, BIP-44), as
 * `createDepositAddresses` takes it.
 * @param seed BIP-32 seed, 16 to 64 bytes: who has it can spend. It stays where it is.
 */
export function accountKeyOf(seed: Uint8Array): string {
  return HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;
}
