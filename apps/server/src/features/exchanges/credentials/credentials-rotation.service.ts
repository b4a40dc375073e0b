import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import type { Database } from '../../../platform/db/database.ts';
import { rewrapCredential } from './credential-box.ts';
import * as store from './credentials.store.ts';

const BATCH = 500;
const WAIT_MS = 200;
const MOST_WAITS = 50;
const OPERATOR = { kind: 'system', id: 'rotate-key', name: 'npm run rotate-key' } as const;

/**
 * Wraps every stored secret with the current master key, in batches, while reading continues: secrets stay readable as
 * long as both keys are configured. Can be stopped and run again.
 * @throws SealError when the master key of a secret is not configured
 */
export async function rotateMasterKey(db: Database, keyring: Keyring): Promise<{ rewrapped: number }> {
  const scope = { kind: 'all' } as const;
  let rewrapped = 0;
  let waits = 0;
  for (;;) {
    const done = await db.write(scope, OPERATOR, async (tx) => {
      const rows = await store.lockSealedUnderOtherKeys(tx, keyring.current.id, BATCH);
      for (const row of rows) {
        const sealed = rewrapCredential(keyring, row);
        if (sealed) await store.saveWrapping(tx, row, sealed);
      }
      if (rows.length > 0)
        tx.audit({
          action: 'credentials.rewrapped',
          target: { kind: 'master_key', id: keyring.current.id },
          after: { secrets: rows.length },
        });
      return rows.length;
    });
    rewrapped += done;
    if (done > 0) continue;
    // Locked rows were skipped, so the rotation is complete only when none is left.
    const left = await db.read(scope, async (tx) => {
      const counts = await store.countByMasterKey(tx);
      return counts.reduce(
        (sum, { masterKeyId, count }) => sum + (masterKeyId === keyring.current.id ? 0 : count),
        0,
      );
    });
    if (left === 0) return { rewrapped };
    if (++waits > MOST_WAITS)
      throw new Error(`${left} stored secrets are locked by another process. Run it again.`);
    await sleep(WAIT_MS);
  }
}
