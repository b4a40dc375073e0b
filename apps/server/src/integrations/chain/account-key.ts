import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';

/**
 * The extended public key of the account whose addresses receive deposits (`m/44'/60'/0'`, BIP-44), in the form for
 * `createDepositAddresses`.
 * @param seed BIP-32 seed, 16 to 64 bytes: it can spend everything. It is not stored or passed on.
 */
export function accountKeyOf(seed: Uint8Array): string {
  return HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;
}

/**
 * Identifies an account key without revealing it: SHA-256 over public key and chain code, 64 hexadecimal digits. Keys
 * that give the same addresses have the same fingerprint.
 * @param accountKey extended public key (BIP-32, "xpub...")
 * @throws Error when it is no extended public key
 */
export function fingerprintOf(accountKey: string): string {
  const { publicKey, chainCode } = HDKey.fromExtendedKey(accountKey);
  if (!publicKey || !chainCode) throw new Error('not an extended public key');
  return createHash('sha256').update(publicKey).update(chainCode).digest('hex');
}
