import { decideHarvest } from './harvest.ts';
import { HARVEST_REFUSALS, type HarvestRefusal } from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import type { HarvestState } from './harvest-states.ts';

/** What a run does to its pools: start or stop all of them, or retry those that failed in an earlier run. */
export const RUN_ACTIONS = ['start', 'stop', 'retry'] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];

/** A pool that a run would concern, with facts read for the admission. */
export interface RunCandidate {
  poolId: string;
  state: HarvestState;
  facts: HarvestFacts;
}

interface PoolRefusal {
  poolId: string;
  code: HarvestRefusal;
  detail: string;
}

export type RunAdmission =
  | { kind: 'admit'; poolIds: string[]; leftOut: string[] }
  /** Nothing happens. The code is the worst of the refusals, so that the text for it fits. */
  | { kind: 'refuse'; code: HarvestRefusal; refusals: PoolRefusal[]; leftOut: string[] };

const FROM: Record<RunAction, HarvestState['status']> = {
  start: 'stopped',
  stop: 'harvesting',
  retry: 'failed',
};

/**
 * Decides whether a global run begins, all or nothing. Pools in another lasting state are left out: they are already
 * where the run goes, or wait for a person. A pool that is starting or stopping refuses the run, because an earlier one
 * may hold it.
 */
export function admitRun(action: RunAction, candidates: readonly RunCandidate[]): RunAdmission {
  const poolIds: string[] = [];
  const leftOut: string[] = [];
  const refusals: PoolRefusal[] = [];
  for (const { poolId, state, facts } of candidates) {
    if (state.status !== FROM[action] && !isTransitioning(state)) {
      leftOut.push(poolId);
      continue;
    }
    const decision = decideHarvest(state, { kind: action, role: 'super_admin' }, facts);
    if (decision.kind === 'refuse') {
      const { code, detail } = decision;
      refusals.push({ poolId, code, detail });
    } else poolIds.push(poolId);
  }
  if (refusals.length > 0) return { kind: 'refuse', code: worstOf(refusals), refusals, leftOut };
  if (poolIds.length === 0)
    return { kind: 'refuse', code: codeOfNone(action, candidates), refusals, leftOut };
  return { kind: 'admit', poolIds, leftOut };
}

const isTransitioning = ({ status }: HarvestState) =>
  status === 'starting_harvesting' || status === 'stopping_harvesting';

/** The list of refusals begins with the worst. */
function worstOf(refusals: readonly PoolRefusal[]): HarvestRefusal {
  const codes = refusals.map(({ code }) => code);
  return HARVEST_REFUSALS.find((code) => codes.includes(code)) as HarvestRefusal;
}

/** No pool is where the run begins. */
function codeOfNone(action: RunAction, candidates: readonly RunCandidate[]): HarvestRefusal {
  if (action === 'stop') return 'not_harvesting';
  const isUnderWay = candidates.some(({ state }) => state.status !== 'failed');
  return action === 'start' && isUnderWay ? 'already_harvesting' : 'invalid_status';
}

/** awaiting: the owner must withdraw, which may take days; the run holds the pool no longer. */
export type RunItemState = 'moving' | 'awaiting' | 'done' | 'failed';

const REACHED: Record<Exclude<RunAction, 'retry'>, Record<HarvestState['status'], RunItemState>> = {
  start: {
    starting_harvesting: 'moving',
    awaiting_bybit_withdrawal: 'awaiting',
    processing_invoices: 'moving',
    harvesting: 'done',
    stopping_harvesting: 'done',
    // It went back to trading.
    stopped: 'failed',
    failed: 'failed',
  },
  stop: {
    stopping_harvesting: 'moving',
    stopped: 'done',
    starting_harvesting: 'done',
    awaiting_bybit_withdrawal: 'done',
    processing_invoices: 'done',
    harvesting: 'failed',
    failed: 'failed',
  },
};

/** How far a pool of a run has come. @param goal of the run, or of the run whose failures are retried */
export function runItemStateOf(goal: Exclude<RunAction, 'retry'>, { status }: HarvestState): RunItemState {
  return REACHED[goal][status];
}

/** How far a run has come. It only observes: its pools go on alone. */
export function runProgressOf(items: readonly RunItemState[]): 'running' | 'done' | 'done_with_failures' {
  if (items.some((item) => item === 'moving' || item === 'awaiting')) return 'running';
  return items.includes('failed') ? 'done_with_failures' : 'done';
}
