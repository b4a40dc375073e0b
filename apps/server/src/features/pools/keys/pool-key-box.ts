import type { Keyring } from '../../../platform/crypto/keyring.ts';
import { SealError, type SealedSecret, sealSecret } from '../../../platform/crypto/sealed-secret.ts';
import { openStored, rewrapStored } from '../../../platform/crypto/stored-secret.ts';

export type PoolKeyField = 'api_key' | 'secret_key';

/** The place where a part of a key is stored. In another row or field it does not open. */
export interface PoolKeyPlace {
  poolId: string;
  field: PoolKeyField;
  version: number;
}

export type StoredPoolKey = PoolKeyPlace & SealedSecret;

/** A part of a key, as written. */
export type PoolKeyRow = StoredPoolKey & { fingerprint: Buffer };

/** The key of a pool's exchange account. Keep it only for one read. */
export interface PoolKeySecrets {
  apiKey: string;
  secretKey: string;
}

const VERSION = 1;

export function sealPoolKey(
  keyring: Keyring,
  poolId: string,
  { apiKey, secretKey }: PoolKeySecrets,
): PoolKeyRow[] {
  return (
    [
      ['api_key', apiKey],
      ['secret_key', secretKey],
    ] as const
  ).map(([field, value]) => {
    const place = { poolId, field, version: VERSION };
    return {
      ...place,
      ...sealSecret(value, placeName(place), keyring.current),
      // Keys are searched by fingerprint; that of a secret must not reveal equal values.
      fingerprint: keyring.fingerprint(field === 'api_key' ? `${field} ${value}` : placeName(place)),
    };
  });
}

/** Null when a part is missing or does not open: it was moved or changed, or its master key is not configured. */
export function openPoolKey(keyring: Keyring, rows: readonly StoredPoolKey[]): PoolKeySecrets | null {
  const open = (field: PoolKeyField) => {
    const row = rows.find((each) => each.field === field);
    if (!row) throw new SealError();
    return openStored(keyring, row, placeName(row));
  };
  try {
    return { apiKey: open('api_key'), secretKey: open('secret_key') };
  } catch {
    return null; // a SealError has no more detail than this null
  }
}

/** @throws SealError when the master key of the row is not configured */
export const rewrapPoolKey = (keyring: Keyring, row: StoredPoolKey): SealedSecret =>
  rewrapStored(keyring, row, placeName(row));

const placeName = ({ poolId, field, version }: PoolKeyPlace) => `pool_key|${poolId}|${field}|${version}`;
