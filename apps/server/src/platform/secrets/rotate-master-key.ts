import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../db/database.ts';
import { StartError } from '../process/start-error.ts';
import type { Keyring } from './keyring.ts';
import type { SealedTable } from './sealed-table.ts';

const BATCH = 500;
const WAIT_MS = 200;
const MOST_WAITS = 50;
const OPERATOR = { kind: 'system', id: 'rotate-key', name: 'npm run rotate-key' } as const;

/**
 * Wraps every stored secret with the current master key, in batches, while reading continues: secrets stay readable as
 * long as both keys are configured. Can be stopped and run again.
 * @throws SealError when the master key of a secret is not configured
 */
export async function rotateMasterKey(
  db: Database,
  keyring: Keyring,
  tables: readonly SealedTable[],
): Promise<{ rewrapped: number }> {
  const scope = { kind: 'all' } as const;
  let rewrapped = 0;
  let waits = 0;
  for (;;) {
    const done = await db.write(scope, OPERATOR, async (tx) => {
      let secrets = 0;
      for (const table of tables) secrets += await table.rewrapSome(tx, keyring, BATCH);
      if (secrets > 0)
        tx.audit({
          action: 'credentials.rewrapped',
          target: { kind: 'master_key', id: keyring.current.id },
          after: { secrets },
        });
      return secrets;
    });
    rewrapped += done;
    if (done > 0) continue;
    // Locked rows were skipped, so the rotation is complete only when none is left.
    const left = await db.read(scope, async (tx) => {
      const counts = await countSecrets(tx, tables);
      return counts.reduce(
        (sum, { masterKeyId, count }) => sum + (masterKeyId === keyring.current.id ? 0 : count),
        0,
      );
    });
    if (left === 0) return { rewrapped };
    if (++waits > MOST_WAITS)
      throw new StartError(`${left} stored secrets are locked by another process. Run it again.`, {
        isSetting: false,
      });
    await sleep(WAIT_MS);
  }
}

/** Number of secrets by table and master key. */
export async function countSecrets(
  tx: Tx,
  tables: readonly SealedTable[],
): Promise<{ masterKeyId: string; count: number }[]> {
  return (await Promise.all(tables.map((table) => table.countByMasterKey(tx)))).flat();
}
