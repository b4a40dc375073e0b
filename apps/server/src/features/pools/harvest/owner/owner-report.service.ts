import type { OwnerWithdrawal } from '@copydesk/contract/pools';
import { unitsToDecimal } from '@copydesk/domain/money';
import { renderOwnerPage } from '../../../../core/outbox/render-owner-page.ts';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import { applyHarvestEvent, type SagaDeps } from '../apply-harvest-event.ts';
import { hasCycleEvent } from '../cycle-events.store.ts';
import * as store from '../cycles.store.ts';
import { readFacts } from '../harvest-facts.ts';
import { findOwner } from './notify-owner.ts';

/** Repeated reports within this time are ignored: each one triggers a read of the exchange. */
const REPORT_EVERY_MS = 60_000;

/** What the page of an owner shows; null: the pool is not there any more. */
export async function findOwnerWithdrawal(tx: Tx, cycleId: string): Promise<OwnerWithdrawal | null> {
  const cycle = await store.findAwaitedWithdrawal(tx, cycleId);
  if (!cycle) return null;
  const { communityId, isAwaited, balanceUnits, since } = cycle;
  const { community, language, address } = await findOwner(tx, communityId);
  const isReported = isAwaited && (await hasCycleEvent(tx, cycleId, 'owner_done', since));
  return {
    language,
    state: isReported ? 'reported' : isAwaited ? 'awaited' : 'over',
    amount: isAwaited ? unitsToDecimal(balanceUnits) : null,
    address: isAwaited ? address : null,
    words: renderOwnerPage({ community, balanceUnits }, language),
  };
}

/** The owner says that everything is withdrawn. It lets the worker look; it is never evidence. */
export async function reportWithdrawal(
  tx: WriteTx,
  deps: SagaDeps,
  { cycleId, now }: { cycleId: string; now: Date },
): Promise<void> {
  const cycle = await store.findAwaitedWithdrawal(tx, cycleId);
  if (!cycle?.isAwaited) return;
  const row = await store.lockCycle(tx, cycle.poolId);
  if (row?.id !== cycleId) return;
  const since = new Date(now.getTime() - REPORT_EVERY_MS);
  if (await hasCycleEvent(tx, cycleId, 'owner_done', since)) return;
  const facts = await readFacts(tx, row, { now });
  const decision = await applyHarvestEvent(tx, deps, {
    row,
    event: { kind: 'owner_done', role: 'owner' },
    facts,
  });
  if (decision.kind !== 'refuse') await store.lookSoon(tx, row);
}
