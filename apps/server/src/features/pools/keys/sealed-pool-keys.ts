import type { SealedTable } from '../../../platform/crypto/rotate-master-key.ts';
import { rewrapPoolKey } from './pool-key-box.ts';
import { countByMasterKey, lockSealedUnderOtherKeys, saveWrapping } from './pool-keys.store.ts';

/** The keys of pools' exchange accounts, for the rotation of the master key. */
export const SEALED_POOL_KEYS: SealedTable = {
  countByMasterKey,
  async rewrapSome(tx, keyring, limit) {
    const rows = await lockSealedUnderOtherKeys(tx, keyring.current.id, limit);
    for (const row of rows) await saveWrapping(tx, row, rewrapPoolKey(keyring, row));
    return rows.length;
  },
};
