import {
  decideHarvest,
  type HarvestDecision,
  type HarvestEffect,
  type HarvestEvent,
  type HarvestState,
  mostOf,
  poolLost,
  unitsToDecimal,
} from '@copydesk/domain';
import { postJournal } from '../../../core/ledger/ledger.service.ts';
import type { WriteTx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log/log.ts';
import { type AtSagaStep, applyEvent, type Saga } from '../../../platform/sagas/apply-event.ts';
import { orderFunding } from '../flows/order-funding.ts';
import { type PoolTransferDeps, planFlows } from '../flows/plan-flows.ts';
import { releaseReservations } from '../flows/release-reservations.ts';
import { cutCarries } from '../results/close-result.ts';
import { orderFeeTransfer } from '../results/fee-transfer.ts';
import { freezeResult } from '../results/freeze-result.ts';
import * as store from './cycles.store.ts';
import { endFunding, findFunding, insertFunding } from './funding.store.ts';
import { type CycleFacts, deadlineFor } from './harvest-facts.ts';
import { notifyOwner } from './notify-owner.ts';
import type { OwnerLinks } from './owner-link.ts';
import { followRuns } from './runs.store.ts';

export type HarvestSaga = Saga<store.CycleRow, HarvestState, HarvestEvent, CycleFacts, HarvestDecision>;

export interface SagaDeps {
  log: Logger;
  /** Where transfers of pools go. */
  chain: PoolTransferDeps;
  /** For messages to owners. */
  links: OwnerLinks;
  atStep?: AtSagaStep;
}

interface Performing extends SagaDeps {
  tx: WriteTx;
  row: store.CycleRow;
  facts: CycleFacts;
}

/** The harvest cycle of a pool as a saga. Its transitions are those of the domain. */
const createHarvestSaga = (deps: SagaDeps): HarvestSaga => ({
  name: 'harvest',
  nameOf: nameOfState,
  decide: decideHarvest,
  evidenceOf,
  targetOf: ({ poolId }) => ({ kind: 'pool', id: poolId }),

  async save(tx, row, decision, facts) {
    if (decision.kind === 'stay') return true;
    const { to, failure } = decision;
    const { now } = facts;
    const isStart = row.state.status === 'stopped' && to.status === 'starting_harvesting';
    const isReset = isAborted(row, to);
    const statusSince = to.status === row.state.status ? row.statusSince : now;
    return store.saveState(tx, row, {
      state: to,
      failure,
      at: now,
      deadlineAt: await deadlineFor(tx, to, { at: now, statusSince, waitedMs: 0 }),
      startedBy: isStart ? tx.actor.id : isReset ? null : row.startedBy,
      startBalanceUnits: startBalanceOf(row, to, facts),
    });
  },

  async perform(tx, row, decision, facts) {
    const performing = { ...deps, tx, row, facts };
    for (const effect of decision.effects) await EFFECTS[effect.kind](performing, effect as never);
    if (decision.kind === 'move') await followRuns(tx, row.poolId, decision.to, decision.failure);
  },
});

/** Applies one event to a locked cycle. */
export function applyHarvestEvent(
  tx: WriteTx,
  deps: SagaDeps,
  given: { row: store.CycleRow; event: HarvestEvent; facts: CycleFacts },
): Promise<HarvestDecision> {
  return applyEvent(tx, createHarvestSaga(deps), given, deps.atStep);
}

/** Status and step, as in `starting_harvesting/pausing`; a failed cycle names what failed. */
function nameOfState(state: HarvestState): string {
  return state.status === 'failed'
    ? `failed/${state.failedFrom}/${state.step}`
    : `${state.status}/${state.step}`;
}

/** Back to trading without a harvest: the cycle begins anew. */
const isAborted = ({ state }: store.CycleRow, to: HarvestState): boolean =>
  to.status === 'stopped' && state.status !== 'stopping_harvesting';

/** What was at the exchange when trading had paused. Going back to trading forgets it. */
function startBalanceOf(row: store.CycleRow, to: HarvestState, { exchange }: CycleFacts): bigint | null {
  if (isAborted(row, to)) return null;
  const isRead = row.state.status === 'starting_harvesting' && to.status !== 'starting_harvesting';
  if (!isRead || to.status === 'failed') return row.startBalanceUnits;
  return exchange && mostOf(exchange.balanceUnits, 0n);
}

function evidenceOf(facts: CycleFacts): Record<string, string | number | boolean | null> {
  const { exchange, evidenceId, resultUnits, failure, resolution } = facts;
  return {
    ...(evidenceId && { evidence_id: evidenceId }),
    ...(exchange && {
      read_age_s: Math.round(exchange.ageMs / 1000),
      open_positions: exchange.openPositions,
      open_orders: exchange.openOrders,
      balance: unitsToDecimal(exchange.balanceUnits),
    }),
    returned: unitsToDecimal(facts.returnedUnits),
    ...(resultUnits !== null && { result: unitsToDecimal(resultUnits) }),
    ...(facts.foreign.length > 0 && {
      foreign: facts.foreign.map(({ type, units }) => `${type} ${unitsToDecimal(units)}`).join(', '),
      set_aside: unitsToDecimal(facts.foreignUnits),
    }),
    ...(exchange && exchange.owedUnits > 0n && { owed: unitsToDecimal(exchange.owedUnits) }),
    ...(facts.valuationReasons.length > 0 && { reasons: facts.valuationReasons.join(', ') }),
    ...(facts.fundingUnits > 0n && {
      funding: unitsToDecimal(facts.fundingUnits),
      credited: unitsToDecimal(facts.creditedUnits),
    }),
    ...(failure && { failure }),
    ...(resolution && { resolution }),
  };
}

type Perform = (performing: Performing, effect: HarvestEffect) => Promise<unknown>;

/** The worker looks at a cycle right after each of its transitions, so work outside the database needs no order. */
const lookSoon: Perform = async () => undefined;
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
  note_resumed: ({ tx, row, facts }) => store.noteTradingResumed(tx, row, facts.now),
  read_exchange: lookSoon,
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
  order_valuation: lookSoon,
  book_valuation: (performing) => freezeResult(performing.tx, placeOf(performing), performing.facts.now),
  charge_fees: lookSoon,
  reserve_withdrawals: (performing) => planFlows(performing.tx, performing.chain, flowsOf(performing)),
  // `planFlows` orders both.
  plan_collections: lookSoon,
  plan_fee_transfer: (performing) => orderFeeTransfer(performing.tx, performing.chain, placeOf(performing)),
  release_reservations: ({ tx, row }) => releaseReservations(tx, row.poolId),
  /** The database freezes the sum of virtual balances with the state: the next valuation refuses another one. */
  freeze_shares: ({ tx, row }) => store.forgetRaisedBreaker(tx, row),
  cut_carry: ({ tx, row }) => cutCarries(tx, row.id),
  plan_funding: lookSoon,
  order_funding: (performing) => orderPlannedFunding(performing),
  watch_deposit: lookSoon,
  move_to_trading: lookSoon,
  async book_lost_funding({ tx, row, facts }) {
    const funding = await findFunding(tx, row.id);
    if (!funding || facts.transitUnits === 0n) return;
    const source = { type: 'harvest_cycle', id: `${row.id}:transit:${funding.attempt}` };
    await postJournal(tx, poolLost(row.poolId, { from: 'pool_transit', units: facts.transitUnits }, source));
    await endFunding(tx, row.id, funding);
  },
  begin_next_cycle: ({ tx, row, facts }) => store.beginNextCycle(tx, row, facts.now),
  /** A funding transfer that reverted is ordered anew. Every other step goes on from its rows. */
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
    if (effect.reason === 'positions_appeared') await store.noteReason(tx, row, effect.reason);
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
