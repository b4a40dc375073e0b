import type { HarvestRefusal } from '@copydesk/domain/pools';
import { WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { readEvidence } from '../../evidence/read-evidence.ts';
import { orderFlows } from '../../flows/order-flows.ts';
import { releaseStuckFlows } from '../../flows/release-stuck-flows.ts';
import { matchArrivals } from '../../proxy/match-arrivals.ts';
import { isTrading } from '../../reading/pool-reads.store.ts';
import { orderFeeTransfer } from '../../results/fee-transfer.ts';
import { takeResultTurn } from '../../results/take-result-turn.ts';
import { awaitApproval } from '../cycles.store.ts';
import { inCycle, LOOK_AGAIN_MS, sendEvent, wait } from '../harvest-worker.ts';
import type { AttendStep } from './step.ts';

/** Reasons that an approval cannot replace: the owner has to bring money back, or settle a debt. */
const INCOMPLETE: ReadonlySet<string | null> = new Set<HarvestRefusal>([
  'usdt_owed',
  'above_dust',
  'money_missing',
]);

/**
 * A valuation that another person reviews stays as it was read: a new read would void the review. One that is incomplete
 * cannot be approved, so it is read again until the owner has acted, for which it has the time of a person.
 */
const valuing: AttendStep = async (worker, cycle) => {
  const isReviewed = cycle.approvalAwaitedSince !== null || cycle.approvedEvidenceId !== null;
  const isRead = !isReviewed || INCOMPLETE.has(cycle.waitsBecause);
  if (isRead) {
    await readEvidence(worker, { poolId: cycle.poolId, cycleId: cycle.id }, 'result');
    worker.atPoint?.('evidence_read');
  }
  const outcome = await sendEvent(
    worker,
    cycle,
    { kind: 'valued', role: 'worker' },
    async (tx, { poolId }) => {
      if (isRead) await matchArrivals(tx, poolId);
    },
  );
  if (outcome.isApplied) return;
  if (outcome.code === 'approval_required' || INCOMPLETE.has(outcome.code))
    await inCycle(worker, cycle, async (tx, row) => {
      await awaitApproval(tx, row, worker.now());
      return outcome;
    });
  await wait(worker, cycle, { ...outcome, inMs: LOOK_AGAIN_MS.withdrawingLate });
};

/** Books the result chunk by chunk. A cycle that failed with a shortfall is booked as well. */
const opening: AttendStep = async (worker, cycle) => {
  const of = { poolId: cycle.poolId, cycleId: cycle.id };
  while (await takeResultTurn(worker, of)) worker.atPoint?.('chunk_booked');
  worker.atPoint?.('chunk_booked');
  if (cycle.state.status === 'failed')
    return wait(worker, cycle, { code: null, inMs: LOOK_AGAIN_MS.withdrawingLate });
  const outcome = await sendEvent(worker, cycle, { kind: 'opened', role: 'worker' });
  if (!outcome.isApplied) await wait(worker, cycle, { ...outcome, inMs: LOOK_AGAIN_MS.soon });
};

/** Waits while the pool is open. What trades meanwhile, as the regular read found, is noted as the reason. */
const waitOpen: AttendStep = async (worker, cycle) => {
  const isTraded = await worker.db.read(WHOLE_SCOPE, (tx) => isTrading(tx, cycle.poolId));
  await wait(worker, cycle, { code: isTraded ? 'open_positions_exist' : null, inMs: LOOK_AGAIN_MS.open });
};

/** While the pool is open, new requests are taken up and a fee transfer that failed is ordered again. */
const open: AttendStep = async (worker, cycle) => {
  await inCycle(worker, cycle, async (tx, row) => {
    const { poolId, communityId, id: cycleId, minimumUnits } = row;
    await orderFlows(tx, worker.chain, { poolId, communityId, cycleId, minimumUnits });
    await orderFeeTransfer(tx, worker.chain, { poolId, communityId, cycleId });
    return { isApplied: true };
  });
  await waitOpen(worker, cycle);
};

/**
 * The gate is closed: nothing new begins. Flows that cannot be signed wait for the next opening instead of keeping the
 * pool from stopping, and a fee transfer that failed is still ordered again.
 */
const closing: AttendStep = async (worker, cycle) => {
  await inCycle(worker, cycle, async (tx, { poolId, communityId, id: cycleId }) => {
    await releaseStuckFlows(tx, poolId);
    await orderFeeTransfer(tx, worker.chain, { poolId, communityId, cycleId });
    return { isApplied: true };
  });
  await waitOpen(worker, cycle);
};

/** From the valuation until the pool stops. */
export const OPENING_STEPS = {
  valuing,
  opening,
  'failed/opening': opening,
  open,
  closing,
} satisfies Record<string, AttendStep>;
