import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { SealedTable } from '../../../platform/secrets/rotate-master-key.ts';
import { rewrapStored } from '../../../platform/secrets/stored-secret.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { poolKeyPlace } from './pool-key-box.ts';
import type { PoolKeyOpener } from './pool-key-opener.ts';
import * as store from './pool-keys.store.ts';

/** Keys of pools that versions before sealed, for the rotation of the master key. */
export const SEALED_POOL_KEYS: SealedTable = {
  countByMasterKey: store.countByMasterKey,
  async rewrapSome(tx, keyring, limit) {
    const rows = await store.lockSealedUnderOtherKeys(tx, keyring.current.id, limit);
    for (const row of rows) await store.saveWrapping(tx, row, rewrapStored(keyring, row, poolKeyPlace(row)));
    return rows.length;
  },
};

const MOST_AT_ONCE = 200;

/**
 * Seals keys that lie under the master key, or under an earlier public key of the workers, to the present one. What does
 * not open stays, and is reported.
 */
export async function resealPoolKeys({
  db,
  poolKeys,
  log,
}: {
  db: Database;
  poolKeys: PoolKeyOpener;
  log: Logger;
}): Promise<void> {
  const { recipient } = poolKeys;
  if (recipient === null) return;
  let unopened = 0;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const rows = await store.lockSealedToOthers(tx, recipient, MOST_AT_ONCE);
    let resealed = 0;
    for (const row of rows) {
      const sealed = await poolKeys.reseal(row).catch(() => null);
      if (sealed) await store.saveSealed(tx, row, sealed);
      if (sealed) resealed += 1;
      else unopened += 1;
    }
    if (resealed > 0)
      tx.audit({
        action: 'credentials.rewrapped',
        target: { kind: 'recipient', id: recipient },
        after: { secrets: resealed },
      });
  });
  if (unopened > 0)
    log.error({ parts: unopened }, 'stored keys of pools do not open, and cannot be sealed anew');
}
