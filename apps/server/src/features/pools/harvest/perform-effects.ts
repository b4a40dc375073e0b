import { poolLost } from '@copydesk/domain/ledger';
import { mostOf } from '@copydesk/domain/money';
import type { HarvestEffect } from '@copydesk/domain/pools';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import type { OwnerLinks } from '../../../core/outbox/owner-link.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import { orderFlows, type PoolTransferDeps } from '../flows/order-flows.ts';
import { orderFunding } from '../flows/order-funding.ts';
import { releaseReservations } from '../flows/release-reservations.ts';
import { cutCarries } from '../results/close-result.ts';
import { orderFeeTransfer } from '../results/fee-transfer.ts';
import { freezeResult } from '../results/freeze-result.ts';
import * as store from './cycles.store.ts';
import { endFunding, findFunding, insertFunding } from './funding.store.ts';
import type { CycleFacts } from './harvest-facts.ts';
import { notifyOwner } from './owner/notify-owner.ts';

export interface PerformDeps {
  log: Logger;
  /** Where transfers of pools go. */
  chain: PoolTransferDeps;
  /** For messages to owners. */
  links: OwnerLinks;
}

interface Performing extends PerformDeps {
  tx: WriteTx;
  row: store.CycleRow;
  facts: CycleFacts;
}

/**
 * Does the work that a decision orders, in the transaction of the decision. Work outside the database needs no order: the
 * worker looks at a cycle right after each of its transitions.
 */
export async function performEffect(performing: Performing, effect: HarvestEffect): Promise<void> {
  await EFFECTS[effect.kind](performing, effect as never);
}

type Perform = (performing: Performing, effect: HarvestEffect) => Promise<unknown>;

const requestTrading =
  (command: 'pause' | 'resume'): Perform =>
  ({ tx, row, facts }) =>
    store.saveTradingRequest(tx, row, { command, at: facts.now });
const placeOf = ({ row }: Performing) => ({
  poolId: row.poolId,
  cycleId: row.id,
  communityId: row.communityId,
});

const EFFECTS: Record<HarvestEffect['kind'], Perform> = {
  request_pause: requestTrading('pause'),
  request_resume: requestTrading('resume'),
  note_resumed: ({ tx, row, facts }) => store.recordTradingResumed(tx, row, facts.now),
  notify_owner: (performing, effect) =>
    effect.kind === 'notify_owner'
      ? notifyOwner(performing.tx, performing.row, effect.message, {
          links: performing.links,
          ...(effect.message === 'withdraw_reminder'
            ? { nth: `by-hand-${performing.facts.now.getTime()}` }
            : performing.facts.exchange && {
                balanceUnits: mostOf(performing.facts.exchange.balanceUnits, 0n),
              }),
        })
      : Promise.resolve(),
  book_valuation: (performing) => freezeResult(performing.tx, placeOf(performing), performing.facts.now),
  reserve_withdrawals: (performing) => orderFlows(performing.tx, performing.chain, flowsOf(performing)),
  plan_fee_transfer: (performing) => orderFeeTransfer(performing.tx, performing.chain, placeOf(performing)),
  release_reservations: ({ tx, row }) => releaseReservations(tx, row.poolId),
  /** The database freezes the sum of virtual balances with the state: the next valuation refuses another one. */
  forget_raised_breaker: ({ tx, row }) => store.forgetRaisedBreaker(tx, row),
  cut_carry: ({ tx, row }) => cutCarries(tx, row.id),
  order_funding: (performing) => orderPlannedFunding(performing),
  async book_lost_funding({ tx, row, facts }) {
    const funding = await findFunding(tx, row.id);
    if (!funding || facts.transitUnits === 0n) return;
    const source = { type: 'harvest_cycle', id: `${row.id}:transit:${funding.attempt}` };
    await postJournal(tx, poolLost(row.poolId, { from: 'pool_transit', units: facts.transitUnits }, source));
    await endFunding(tx, row.id, funding);
  },
  begin_next_cycle: ({ tx, row, facts }) => store.beginNextCycle(tx, row, facts.now),
  /** A funding transfer that reverted is ordered again. Every other step continues from its rows. */
  async repeat_step(performing) {
    const { tx, row } = performing;
    const funding = await findFunding(tx, row.id);
    if (row.state.step !== 'sending' || funding?.state !== 'reverted') return;
    const { attempt, units } = funding;
    await insertFunding(tx, row.id, { attempt: attempt + 1, units, toAddress: row.address.approved });
    await orderPlannedFunding(performing);
  },
  alert: async ({ tx, log, row }, effect) => {
    if (effect.kind !== 'alert') return;
    if (effect.reason === 'positions_appeared') await store.recordReason(tx, row, effect.reason);
    log.error(
      { poolId: row.poolId, cycleId: row.id, reason: effect.reason },
      'a harvest cycle needs a person',
    );
  },
};

async function orderPlannedFunding({ tx, chain, row }: Performing): Promise<void> {
  const funding = await findFunding(tx, row.id);
  if (!funding) throw new Error(`no funding is planned for the cycle ${row.id}`);
  await orderFunding(tx, chain, { cycleId: row.id, attempt: funding.attempt });
}

/** The open pool that flows are planned for. */
function flowsOf({ row }: Performing) {
  return {
    poolId: row.poolId,
    communityId: row.communityId,
    cycleId: row.id,
    minimumUnits: row.minimumUnits,
  };
}
