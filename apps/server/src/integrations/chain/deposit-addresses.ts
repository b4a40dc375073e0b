import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { fromPublicKey } from 'ox/Address';
import { fromBytes } from 'ox/PublicKey';

/** Gives each index an address of its own. */
export interface DepositAddresses {
  /** @param index 0 to 2^31 - 1. @returns the address in its EIP-55 form */
  at(index: number): string;
}

/**
 * Addresses below a master public key: `m/44'/60'/0'/0/index` (BIP-44, coin type 60 of SLIP-44). The key is that of the
 * account, `m/44'/60'/0'`; spending keys cannot be derived from it.
 * @param accountKey extended public key (BIP-32, "xpub...")
 * @throws when it is no such key. An extended private key is refused: it must not enter this process.
 */
export function createDepositAddresses(accountKey: string): DepositAddresses {
  const account = readPublicKey(accountKey);
  const external = account.deriveChild(0);
  return {
    at(index) {
      const { publicKey } = external.deriveChild(index);
      if (!publicKey) throw new Error('a public key derives public keys');
      const whole = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
      return fromPublicKey(fromBytes(whole), { checksum: true });
    },
  };
}

function readPublicKey(accountKey: string): HDKey {
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(accountKey);
  } catch {
    throw new Error('not an extended public key');
  }
  if (key.privateKey) throw new Error('an extended private key; the public one is wanted');
  if (key.depth !== 3) throw new Error("an extended public key, but not that of an account (m/44'/60'/0')");
  return key;
}
