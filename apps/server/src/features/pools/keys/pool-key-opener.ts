import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { SealError } from '../../../platform/secrets/sealed-secret.ts';
import { openStored } from '../../../platform/secrets/stored-secret.ts';
import type { OpeningBox } from '../../../platform/secrets/worker-box.ts';
import {
  type PoolKeyField,
  type PoolKeySecrets,
  poolKeyPlace,
  type SealedPoolKey,
  type StoredPoolKey,
} from './pool-key-box.ts';

/** Opens keys of pools. Only workers have one. */
export interface PoolKeyOpener {
  /** Null when a part is missing or does not open: it was moved or changed, or its key is not configured. */
  open(rows: readonly StoredPoolKey[]): Promise<PoolKeySecrets | null>;
  /** The public key that all keys should be sealed to; null: this worker has none. */
  readonly recipient: string | null;
  /** The same part, sealed to that public key. @throws SealError */
  reseal(row: StoredPoolKey): Promise<SealedPoolKey>;
}

/**
 * @param keyring opens what versions before sealed
 * @param box null: this worker opens nothing else
 */
export function createPoolKeyOpener(keyring: Keyring, box: OpeningBox | null): PoolKeyOpener {
  const openPart = async (row: StoredPoolKey): Promise<string> => {
    if (row.recipient === null) return openStored(keyring, row, poolKeyPlace(row));
    if (!box) throw new SealError();
    return box.open(row.ciphertext, poolKeyPlace(row));
  };
  return {
    recipient: box?.recipient ?? null,
    async open(rows) {
      const part = async (field: PoolKeyField) => {
        const row = rows.find((each) => each.field === field);
        if (!row) throw new SealError();
        return openPart(row);
      };
      try {
        return { apiKey: await part('api_key'), secretKey: await part('secret_key') };
      } catch {
        return null; // a SealError has no more detail than this null
      }
    },
    async reseal(row) {
      if (!box) throw new SealError();
      return {
        ciphertext: await box.seal(await openPart(row), poolKeyPlace(row)),
        recipient: box.recipient,
      };
    },
  };
}
