import type { HarvestEvent } from '@copydesk/domain/pools';
import type { LiveSettings } from '../../../core/settings/live-settings.ts';
import type { PoolVenue } from '../../../integrations/exchanges/pool-venue.ts';
import type { TradingBot } from '../../../integrations/trading-bot/gateway.ts';
import { type Database, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import type { PoolKeyOpener } from '../keys/pool-key-opener.ts';
import { applyHarvestEvent, type SagaDeps } from './apply-harvest-event.ts';
import * as store from './cycles.store.ts';
import { readFacts } from './harvest-facts.ts';

/** What the worker needs to move cycles. */
export interface HarvestWorker extends SagaDeps {
  settings: Pick<LiveSettings, 'current'>;
  db: Database;
  poolKeys: PoolKeyOpener;
  venue: PoolVenue;
  bot: TradingBot;
  now: () => Date;
  /** How long a cycle is left alone after a crash; longer than any step takes. */
  leaseMs?: number;
  /** Called where a crash could happen between transactions; tests stop the process there. */
  atPoint?: (point: HarvestPoint) => void;
}

/** The named points between the transactions of a cycle. */
export const HARVEST_POINTS = [
  'claimed',
  'commanded',
  'evidence_read',
  'chunk_booked',
  'funding_planned',
  'credit_seen',
  'moved',
  'waiting_noted',
] as const;
export type HarvestPoint = (typeof HARVEST_POINTS)[number];

/** When the worker looks at a cycle again after a step that had to wait, ms. */
export const LOOK_AGAIN_MS = {
  soon: 5_000,
  open: 15_000,
  checking: 10_500,
  /** A withdrawal takes minutes at least; after a day, seconds do not matter. */
  withdrawing: 15_000,
  withdrawingLate: 60_000,
} as const;

/** What became of an event: applied, or why not. */
export type Outcome = { isApplied: true } | { isApplied: false; code: string; detail: string };

/**
 * Sends an event of the worker, or of the bot that it speaks for, to a cycle: one transaction. Nothing happens when the
 * cycle has moved on since `seen`.
 * @param before work of the same transaction, before the facts are read
 */
export async function sendEvent(
  worker: HarvestWorker,
  seen: store.CycleRow,
  event: HarvestEvent,
  before?: (tx: WriteTx, row: store.CycleRow) => Promise<unknown>,
): Promise<Outcome> {
  return inCycle(worker, seen, async (tx, row) => {
    await before?.(tx, row);
    const facts = await readFacts(tx, row, { now: worker.now() });
    const decision = await applyHarvestEvent(tx, worker, { row, event, facts });
    return decision.kind === 'refuse'
      ? { isApplied: false, code: decision.code, detail: decision.detail }
      : { isApplied: true };
  });
}

/** Runs work with the cycle locked, unless it has moved on since `seen`. */
export async function inCycle(
  { db }: Pick<HarvestWorker, 'db'>,
  seen: store.CycleRow,
  work: (tx: WriteTx, row: store.CycleRow) => Promise<Outcome>,
): Promise<Outcome> {
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const row = await store.lockCycle(tx, seen.poolId);
    if (!row || row.id !== seen.id || row.version !== seen.version)
      return { isApplied: false, code: 'cycle_changed', detail: '' };
    return work(tx, row);
  });
}

/** Notes why a cycle waits, and looks at it again after a while. */
export async function wait(
  worker: HarvestWorker,
  seen: store.CycleRow,
  { code, detail, inMs }: { code: string | null; detail?: string; inMs: number },
): Promise<void> {
  const lookAt = new Date(worker.now().getTime() + inMs);
  await worker.db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) =>
    store.recordWaiting(tx, seen, { reason: code, detail: detail || null, lookAt }),
  );
  worker.atPoint?.('waiting_noted');
}
