import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { rewrapCredential } from './credential-box.ts';
import * as store from './credentials.store.ts';

const BATCH = 500;
const OPERATOR = { kind: 'system', id: 'rotate-key', name: 'npm run rotate-key' } as const;

/**
 * Puts every stored secret under the current master key, in batches, while everybody goes on reading: a secret is
 * readable before and after, as long as both keys are configured. Can be stopped and run again.
 * @throws SealError when a secret lies under a key that is not configured
 */
export async function rotateMasterKey(db: Database, keyring: Keyring): Promise<{ rewrapped: number }> {
  const scope = { kind: 'all' } as const;
  let rewrapped = 0;
  for (;;) {
    const done = await db.write(scope, OPERATOR, async (tx) => {
      const rows = await store.lockNotUnder(tx, keyring.current.id, BATCH);
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
    if (done < BATCH) return { rewrapped };
  }
}
