import type { Keyring } from '../../../platform/secrets/keyring.ts';
import type { SealedSecret } from '../../../platform/secrets/sealed-secret.ts';
import type { SealingBox } from '../../../platform/secrets/worker-box.ts';

export type PoolKeyField = 'api_key' | 'secret_key';

/** The place where a part of a key is stored. In another row or field it does not open. */
export interface PoolKeyPlace {
  poolId: string;
  field: PoolKeyField;
  version: number;
}

/** A part of a key, sealed to a public key of the workers. */
export interface SealedPoolKey {
  ciphertext: Buffer;
  recipient: string;
}

/**
 * A part of a key as stored: sealed as above, or, by an earlier version, under the master key that the API
 * has too.
 */
export type StoredPoolKey = PoolKeyPlace & (SealedPoolKey | (SealedSecret & { recipient: null }));

/** A part of a key, as written. */
export type PoolKeyRow = PoolKeyPlace & SealedPoolKey & { fingerprint: Buffer };

/** The key of a pool's exchange account. Keep it only for one read. */
export interface PoolKeySecrets {
  apiKey: string;
  secretKey: string;
}

/** What sealing needs. It opens nothing. */
export interface PoolKeySealer {
  keyring: Pick<Keyring, 'fingerprint'>;
  box: SealingBox;
}

export const POOL_KEY_VERSION = 1;

export async function sealPoolKey(
  { keyring, box }: PoolKeySealer,
  poolId: string,
  { apiKey, secretKey }: PoolKeySecrets,
): Promise<[apiKey: PoolKeyRow, secretKey: PoolKeyRow]> {
  const sealed = async (field: PoolKeyField, value: string): Promise<PoolKeyRow> => {
    const place = { poolId, field, version: POOL_KEY_VERSION };
    return {
      ...place,
      ciphertext: await box.seal(value, poolKeyPlace(place)),
      recipient: box.recipient,
      // Keys are searched by fingerprint; that of a secret must not reveal equal values.
      fingerprint: keyring.fingerprint(field === 'api_key' ? `${field} ${value}` : poolKeyPlace(place)),
    };
  };
  return [await sealed('api_key', apiKey), await sealed('secret_key', secretKey)];
}

export const poolKeyPlace = ({ poolId, field, version }: PoolKeyPlace) =>
  `pool_key|${poolId}|${field}|${version}`;
