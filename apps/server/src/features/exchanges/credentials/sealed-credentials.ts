import type { SealedTable } from '../../../platform/secrets/rotate-master-key.ts';
import { rewrapCredential } from './credential-box.ts';
import { countByMasterKey, lockSealedUnderOtherKeys, saveWrapping } from './credentials.store.ts';

/** The credentials of traders' accounts, for the rotation of the master key. */
export const SEALED_CREDENTIALS: SealedTable = {
  countByMasterKey,
  async rewrapSome(tx, keyring, limit) {
    const rows = await lockSealedUnderOtherKeys(tx, keyring.current.id, limit);
    for (const row of rows) {
      const sealed = rewrapCredential(keyring, row);
      if (sealed) await saveWrapping(tx, row, sealed);
    }
    return rows.length;
  },
};
