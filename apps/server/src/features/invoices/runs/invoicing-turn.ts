import { isDatabaseGone } from '../../../platform/db/connection.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { Logger } from '../../../platform/log/log.ts';
import { listDueTraders } from './due-positions.views.ts';
import { type InvoicingDeps, invoiceTraders } from './invoice-batch.service.ts';
import * as store from './runs.store.ts';

/**
 * Traders per transaction. More save nothing (a batch of 100 costs as much as two of 50) and hold their locks longer.
 */
const TRADERS_AT_ONCE = 100;

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
  let run = await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.claimRun(tx, leaseMs));
  if (!run) return false;
  const { id } = run;
  while (run) {
    const claimed = run;
    if (stopped?.aborted) {
      await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.giveRunBack(tx, claimed));
      return true;
    }
    const traderIds = await db.read(WHOLE_SCOPE, (tx) => listDueTraders(tx, claimed, TRADERS_AT_ONCE));
    if (traderIds.length === 0) {
      await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => store.finishRun(tx, claimed));
      log.info({ run: id }, 'invoicing run done');
      return true;
    }
    run = await takeBatch(deps, claimed, traderIds);
  }
  log.warn({ run: id }, 'an invoicing run was taken over by another worker');
  return true;
}

/** A trader that fails its batch is skipped and reported, so the others are invoiced. */
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
    current = await commitBatch(deps, claimed, [traderId]).catch((error) => {
      if (isDatabaseGone(error)) throw error;
      deps.log.error({ err: error, run: run.id, traderId }, 'a trader could not be invoiced');
      return skip(deps, claimed, traderId);
    });
  }
  return current;
}

function commitBatch(deps: InvoicingTurnDeps, run: store.ClaimedRun, traderIds: readonly string[]) {
  return retryConflicts(() =>
    deps.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const result = await invoiceTraders(tx, deps, traderIds);
      const next = await store.advanceRun(tx, run, result, deps.leaseMs);
      if (!next) throw new RunTakenOver();
      return next;
    }),
  ).catch((error) => {
    if (error instanceof RunTakenOver) return null;
    throw error;
  });
}

function skip({ db, leaseMs }: InvoicingTurnDeps, run: store.ClaimedRun, traderId: string) {
  const nothing = { traders: 1, positions: 0, invoices: 0, amountUnits: 0n };
  const problems = [{ traderId, reason: 'failed' as const }];
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.advanceRun(tx, run, { ...nothing, lastTraderId: traderId, problems }, leaseMs),
  );
}

/** Rolls back a batch whose run another worker has taken over. */
class RunTakenOver extends Error {}
