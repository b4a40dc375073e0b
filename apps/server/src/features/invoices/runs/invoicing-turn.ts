import { isStatementTimeout } from '../../../platform/db/connection/connection.ts';
import { isDatabaseGone } from '../../../platform/db/connection/outage.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { listDueTraders } from './due-positions.views.ts';
import { invoiceTraders } from './invoice-batch.service.ts';
import { type InvoicingDeps, planInvoices } from './plan-invoices.ts';
import { lineWithout, type RunLine } from './run-lines.store.ts';
import * as store from './runs.store.ts';

/**
 * Traders per transaction. More save nothing (a batch of 100 costs as much as two of 50) and hold their locks longer.
 */
const TRADERS_AT_ONCE = 100;
/** Longer in total than a lost transaction keeps its locks. */
const MOST_TIMEOUTS = 3;

/**
 * Runs that an outage of the database interrupted. They continue when it is back instead of when their leases
 * end.
 */
const interrupted = new WeakMap<Database, store.ClaimedRun>();

export interface InvoicingTurnDeps extends InvoicingDeps {
  db: Database;
  log: Logger;
  /** After this long another worker may take over a run. */
  leaseMs: number;
}

/**
 * Claims one run and works through it. Each batch is one transaction that also advances the run's cursor, so a crash
 * leaves whole batches and another process continues after the last one.
 * @param stopped releases the run after the current batch: a run takes minutes, but a stopping process has seconds
 * @returns whether there was a run
 */
export async function takeInvoicingTurn(deps: InvoicingTurnDeps, stopped?: AbortSignal): Promise<boolean> {
  const { db, log, leaseMs } = deps;
  const left = interrupted.get(db);
  if (left) await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.giveRunBack(tx, left));
  interrupted.delete(db);
  let run = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.claimRun(tx, leaseMs));
  if (!run) return false;
  const { id } = run;
  try {
    while (run) {
      const claimed: store.ClaimedRun = run;
      if (stopped?.aborted) {
        await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.giveRunBack(tx, claimed));
        return true;
      }
      const traderIds = await db.read(WHOLE_SCOPE, (tx) => listDueTraders(tx, claimed, TRADERS_AT_ONCE));
      if (traderIds.length === 0) {
        await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.finishRun(tx, claimed));
        log.info({ run: id, was: claimed.state }, 'invoicing run done');
        return true;
      }
      run = await takeBatch(deps, claimed, traderIds);
    }
  } catch (error) {
    if (run && isDatabaseGone(error) && !interrupted.has(db)) interrupted.set(db, run);
    throw error;
  }
  log.warn({ run: id }, 'an invoicing run was taken over by another worker');
  return true;
}

/**
 * A trader that fails its batch is skipped and reported, so the others are invoiced. When the database is away, no trader
 * is to blame: the turn fails, and the run goes on after its last batch.
 */
async function takeBatch(
  deps: InvoicingTurnDeps,
  run: store.ClaimedRun,
  traderIds: readonly string[],
): Promise<store.ClaimedRun | null> {
  try {
    return await commitBatch(deps, run, traderIds);
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    deps.log.error({ err: error, run: run.id, traders: traderIds.length }, 'a batch could not be invoiced');
  }
  let current: store.ClaimedRun | null = run;
  for (const traderId of traderIds) {
    if (!current) return null;
    const claimed: store.ClaimedRun = current;
    current = await retryTimeouts(() => commitBatch(deps, claimed, [traderId])).catch((error) => {
      if (isDatabaseGone(error)) {
        // Traders of this batch have moved it on.
        interrupted.set(deps.db, claimed);
        throw error;
      }
      deps.log.error({ err: error, run: run.id, traderId }, 'a trader could not be invoiced');
      return skip(deps, claimed, traderId);
    });
  }
  return current;
}

/**
 * Retries a batch after a statement timeout. A transaction of a lost connection keeps its locks for half a
 * minute, until the server ends it: a trader that waits for them has no problem.
 */
async function retryTimeouts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === MOST_TIMEOUTS || !isStatementTimeout(error)) throw error;
    }
  }
}

/** Invoices traders, or of a draft looks at what would be invoiced. */
async function workOn(
  tx: WriteTx,
  deps: InvoicingTurnDeps,
  run: store.ClaimedRun,
  traderIds: readonly string[],
): Promise<RunLine[]> {
  if (run.state !== 'preparing') return invoiceTraders(tx, deps, { run, traderIds });
  const how = { isIssued: false, until: run.draftedAt };
  return (await planInvoices(tx, deps, traderIds, how)).lines;
}

function commitBatch(deps: InvoicingTurnDeps, run: store.ClaimedRun, traderIds: readonly string[]) {
  return retryConflicts(() =>
    deps.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const next = await store.advanceRun(tx, run, await workOn(tx, deps, run, traderIds), deps.leaseMs);
      if (!next) throw new RunTakenOver();
      return next;
    }),
  ).catch((error) => {
    if (error instanceof RunTakenOver) return null;
    throw error;
  });
}

function skip({ db, leaseMs }: InvoicingTurnDeps, run: store.ClaimedRun, traderId: string) {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.advanceRun(tx, run, [lineWithout(traderId, 'failed')], leaseMs),
  );
}

/** Rolls back a batch whose run another worker has taken over. */
class RunTakenOver extends Error {}
