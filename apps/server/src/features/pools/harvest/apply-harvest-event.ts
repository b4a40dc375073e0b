import { mostOf, unitsToDecimal } from '@copydesk/domain/money';
import {
  decideHarvest,
  type HarvestDecision,
  type HarvestEvent,
  type HarvestState,
} from '@copydesk/domain/pools';
import type { WriteTx } from '../../../platform/db/database.ts';
import { type CycleEvidence, insertCycleEvent } from './cycle-events.store.ts';
import { type CycleRow, saveState } from './cycles.store.ts';
import { type CycleFacts, deadlineFor } from './harvest-facts.ts';
import { type PerformDeps, performEffect } from './perform-effects.ts';
import { followRuns } from './runs/runs.store.ts';

export interface SagaDeps extends PerformDeps {
  /** Called where a crash could happen; tests stop the process there. */
  atStep?: (step: 'decided' | 'saved' | 'recorded' | 'performed') => void;
}

type Accepted = Exclude<HarvestDecision, { kind: 'refuse' }>;

/**
 * Applies one event to a locked cycle, all in the caller's transaction: the decision of the domain, the state by compare
 * and swap, the timeline, audit, and the work that the decision orders. A refusal changes nothing.
 * @throws when another transition came first: the caller reads the row again
 */
export async function applyHarvestEvent(
  tx: WriteTx,
  deps: SagaDeps,
  { row, event, facts }: { row: CycleRow; event: HarvestEvent; facts: CycleFacts },
): Promise<HarvestDecision> {
  const decision = decideHarvest(row.state, event, facts);
  if (decision.kind === 'refuse') return decision;
  deps.atStep?.('decided');
  if (decision.kind === 'move') await saveMove(tx, row, decision, facts);
  deps.atStep?.('saved');
  await record(tx, row, event, decision, facts);
  deps.atStep?.('recorded');
  for (const effect of decision.effects) await performEffect({ ...deps, tx, row, facts }, effect);
  if (decision.kind === 'move') await followRuns(tx, row.poolId, decision.to, decision.failure);
  deps.atStep?.('performed');
  return decision;
}

async function saveMove(
  tx: WriteTx,
  row: CycleRow,
  { to, failure }: Extract<Accepted, { kind: 'move' }>,
  facts: CycleFacts,
): Promise<void> {
  const { now } = facts;
  const isStart = row.state.status === 'stopped' && to.status === 'starting_harvesting';
  const statusSince = to.status === row.state.status ? row.statusSince : now;
  const isSaved = await saveState(tx, row, {
    state: to,
    failure,
    at: now,
    deadlineAt: await deadlineFor(tx, to, { at: now, statusSince, waitedMs: 0 }),
    startedBy: isStart ? tx.actor.id : isAborted(row, to) ? null : row.startedBy,
    startBalanceUnits: startBalanceOf(row, to, facts),
  });
  if (!isSaved) throw new Error(`harvest ${row.id}: version ${row.version} has changed`);
}

/** In the timeline of the cycle, and in the audit of its pool. */
async function record(
  tx: WriteTx,
  row: CycleRow,
  { kind, role }: HarvestEvent,
  decision: Accepted,
  facts: CycleFacts,
): Promise<void> {
  const isMove = decision.kind === 'move';
  const from = nameOfState(row.state);
  const to = isMove ? nameOfState(decision.to) : from;
  const version = row.version + (isMove ? 1 : 0);
  const evidence = evidenceOf(facts);
  await insertCycleEvent(tx, {
    cycleId: row.id,
    version,
    at: facts.now,
    event: kind,
    role,
    from,
    to,
    evidence,
  });
  tx.audit({
    action: `harvest.${kind}`,
    target: { kind: 'pool', id: row.poolId },
    before: { state: from },
    after: { state: to, version, role, ...evidence },
  });
}

/** Status and step, as in `starting_harvesting/pausing`; a failed cycle names what failed. */
function nameOfState(state: HarvestState): string {
  return state.status === 'failed'
    ? `failed/${state.failedFrom}/${state.step}`
    : `${state.status}/${state.step}`;
}

/** Back to trading without a harvest: the cycle begins again. */
const isAborted = ({ state }: CycleRow, to: HarvestState): boolean =>
  to.status === 'stopped' && state.status !== 'stopping_harvesting';

/** What was at the exchange when trading had paused. Going back to trading forgets it. */
function startBalanceOf(row: CycleRow, to: HarvestState, { exchange }: CycleFacts): bigint | null {
  if (isAborted(row, to)) return null;
  const isRead = row.state.status === 'starting_harvesting' && to.status !== 'starting_harvesting';
  if (!isRead || to.status === 'failed') return row.startBalanceUnits;
  return exchange && mostOf(exchange.balanceUnits, 0n);
}

function evidenceOf(facts: CycleFacts): CycleEvidence {
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
