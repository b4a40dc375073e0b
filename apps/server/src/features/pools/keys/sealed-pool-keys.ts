import { sql } from 'kysely';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { sealedTable } from '../../../platform/secrets/sealed-table.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { type PoolKeyPlace, poolKeyPlace } from './pool-key-box.ts';
import type { PoolKeyOpener } from './pool-key-opener.ts';
import * as store from './pool-keys.store.ts';

/** Keys of pools that versions before sealed, for the rotation of the master key. */
export const SEALED_POOL_KEYS = sealedTable<PoolKeyPlace>({
  table: 'pool_key',
  key: ['pooled_account_id', 'field'],
  reads: sql`pooled_account_id AS "poolId", field, version`,
  place: poolKeyPlace,
});

const MOST_AT_ONCE = 200;

/**
 * Seals keys that are under the master key, or under an earlier public key of the workers, to the present
 * one. Keys that do not open stay, and are reported.
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
