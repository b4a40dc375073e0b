import { bulkEntry } from '@copydesk/contract/bulk';
import { isDatabaseGone } from '../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../platform/db/database.ts';
import { retryConflicts } from '../../platform/db/retry-conflicts.ts';
import { presentScope, readFlags } from '../../platform/identity/present-scope.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { startDueLoop } from '../../platform/work/due-loop.ts';
import type { WorkLoop } from '../../platform/work/work-loop.ts';
import { WORKER_ACTOR } from '../../platform/work/worker-actor.ts';
import type { BulkParts } from './bulk-parts.ts';
import type { HeldAct, WaitingRow } from './bulk-work.store.ts';
import * as store from './bulk-work.store.ts';

/** Rows that are done before the person's rights are read again: a fraction of a second. */
const ROWS_AT_ONCE = 20;
/**
 * An act that was begun this often without finishing a row contains a row that kills its workers. That row is
 * given up, and the others are done.
 */
const MAX_ATTEMPTS = 3;

export interface BulkWorkerDeps {
  db: Database;
  parts: BulkParts;
  log: Logger;
  /** Interval between looks for work without a wake-up. */
  everyMs: number;
  /** After this long, another worker takes over from one that died. */
  leaseMs: number;
  /** How often the counts are written, and the lease renewed. */
  keepMs: number;
}

/** Does bulk acts, one at a time and trader by trader, each in a transaction with the person's rights of that moment. */
export function startBulkWorker({ db, parts, log, everyMs, leaseMs, keepMs }: BulkWorkerDeps): WorkLoop {
  const write = <T>(work: (tx: WriteTx) => Promise<T>) => db.write(WHOLE_SCOPE, WORKER_ACTOR, work);
  const moved = new WeakSet<HeldAct>();
  let isStopping = false;

  const loop = startDueLoop<HeldAct>({
    name: 'bulk acts',
    everyMs,
    log,
    async claim(underWay) {
      if (underWay > 0 || isStopping) return { rows: [] };
      const held = await write((tx) => store.claimAct(tx, leaseMs));
      if (held) return { rows: [held], goesOn: false };
      return { rows: [], waitMs: await db.read(WHOLE_SCOPE, store.untilDue) };
    },
    async work(held) {
      if (held.attempts > MAX_ATTEMPTS) await giveRowUp(held);
      if (await doRows(held)) await write((tx) => store.finishAct(tx, held));
      else if (isStopping) await write((tx) => store.giveActBack(tx, held));
    },
    keep: {
      everyMs: keepMs,
      async renew(held) {
        const hasMoved = moved.delete(held);
        await write((tx) => store.keepAct(tx, held, leaseMs, hasMoved));
      },
    },
    describe: ({ id, act }) => ({ bulk_act: id, act }),
  });

  async function giveRowUp(held: HeldAct): Promise<void> {
    const [row] = await db.read(WHOLE_SCOPE, (tx) => store.listWaiting(tx, held, 1));
    if (row) await fail(held, row);
  }

  /** @returns false: not all of them, because the act was stopped or the worker ends */
  async function doRows(held: HeldAct): Promise<boolean> {
    for (;;) {
      const flags = await db.read(WHOLE_SCOPE, (tx) => readFlags(tx, held.userId));
      const scope = presentScope(flags, bulkEntry(held.act), held.organizationId);
      if (!scope) {
        return write(async (tx) => {
          if (!(await store.holdAct(tx, held))) return false;
          await store.leaveRest(tx, held, 'access_changed');
          return true;
        });
      }
      const rows = await db.read(WHOLE_SCOPE, (tx) => store.listWaiting(tx, held, ROWS_AT_ONCE));
      if (rows.length === 0) return true;
      const actor = { kind: 'user', id: held.userId, name: held.userName } as const;
      for (const row of rows) {
        if (isStopping) return false;
        const doOne = () => db.write(scope, actor, (tx) => doRow(tx, held, row));
        try {
          if (!(await retryConflicts(doOne))) return false;
        } catch (error) {
          if (isDatabaseGone(error)) throw error;
          log.error({ err: error, bulk_act: held.id, trader: row.traderId }, 'a row of a bulk act failed');
          await fail(held, row);
        }
        moved.add(held);
      }
    }
  }

  /** @returns false: the act is no longer this worker's */
  async function doRow(tx: WriteTx, held: HeldAct, row: WaitingRow): Promise<boolean> {
    if (!(await store.holdAct(tx, held))) return false;
    const reason = await parts.acts[held.act].perform(tx, row, { status: held.status });
    await store.markRow(tx, held, row, { outcome: reason === null ? 'done' : 'left_out', reason });
    return true;
  }

  const fail = (held: HeldAct, row: WaitingRow) =>
    write(async (tx) => {
      if (await store.holdAct(tx, held))
        await store.markRow(tx, held, row, { outcome: 'failed', reason: null });
    });

  return {
    wake: loop.wake,
    async stop() {
      isStopping = true;
      await loop.stop();
    },
  };
}
