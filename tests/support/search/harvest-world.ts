import {
  decideHarvest,
  type FailureReason,
  HARVEST_TRANSITIONS,
  type HarvestDecision,
  type HarvestEvent,
  type HarvestFacts,
  type HarvestRefusal,
  type HarvestState,
  type Resolution,
  SENDING_REPORTS,
  TRADING,
  turnOf,
} from '@copydesk/domain/pools';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from '../pools/healthy-facts.ts';
import type { Step } from './explore.ts';

// One cycle of a pool, its money, two workers, two super admins, the owner and the bot or operator who trades. Decisions are
// those of the domain; a step is what one transaction or one call does, so a worker may stop for good between any two.

type Transitions = typeof HARVEST_TRANSITIONS;

export interface HarvestWorld {
  state: HarvestState;
  version: number;
  failure: FailureReason | null;
  /** The last request, whether the bot or the operator trades, and whether what it said answers that request. */
  asked: 'pause' | 'resume';
  isTrading: boolean;
  isAcknowledged: boolean;
  isResumeAwaited: boolean;
  hasPosition: boolean;
  money: 'exchange' | 'withdrawn' | 'proxy' | 'funding' | 'unexplained';
  /** What the exchange says of the funding transfer; whether the books have it in transit, or gave it up. */
  venue: 'none' | 'credited' | 'rejected';
  isInTransit: boolean;
  isGivenUp: boolean;
  /** The state of the funding transfer; its orders that have not ended. */
  funding: 'none' | 'ordered' | 'sent' | 'reverted' | 'bounced' | 'credited';
  openFundings: number;
  /** Journals of the result, in this cycle. */
  booked: number;
  isUncovered: boolean;
  isApproved: boolean;
  isLate: boolean;
  hasPending: boolean;
  /** What the last read of the exchange found. */
  read: { hasPosition: boolean; hasMoney: boolean } | null;
  workers: [Worker, Worker];
}
/** An event that a worker is about to send to the cycle that it saw. */
type Worker = { event: HarvestEvent; version: number; state: HarvestState } | null;

export interface HarvestGuards {
  /** A worker writes nothing to a cycle that has moved on since it looked. */
  comparesVersion: boolean;
  transitions: Transitions;
}
export const HARVEST_GUARDS: HarvestGuards = {
  comparesVersion: true,
  transitions: HARVEST_TRANSITIONS,
};

export interface HarvestBounds {
  hasBot: boolean;
  /** Whether the result needs another person, and whether nothing covers a loss. */
  hasBadResult: boolean;
}

export const firstHarvestWorld = ({ hasBadResult }: HarvestBounds): HarvestWorld => ({
  state: TRADING,
  version: 0,
  failure: null,
  asked: 'resume',
  isTrading: true,
  isAcknowledged: false,
  isResumeAwaited: false,
  hasPosition: false,
  money: 'exchange',
  venue: 'none',
  isInTransit: false,
  isGivenUp: false,
  funding: 'none',
  openFundings: 0,
  booked: 0,
  isUncovered: hasBadResult,
  isApproved: false,
  isLate: false,
  hasPending: false,
  read: null,
  workers: [null, null],
});

const nameOfState = (state: HarvestState) =>
  state.status === 'failed' ? `failed/${state.step}` : `${state.status}/${state.step}`;

/** Workers are alike, and what a worker saw of an earlier version matters only where versions are not compared. */
export const nameOfHarvestWorld =
  ({ comparesVersion }: HarvestGuards) =>
  ({ state, version, read, workers, ...rest }: HarvestWorld): string => {
    const seen = workers.map((worker) => {
      if (!worker) return '-';
      const isNow = worker.version === version;
      return isNow || !comparesVersion
        ? `${worker.event.kind} ${isNow} ${nameOfState(worker.state)}`
        : 'late';
    });
    return [nameOfState(state), ...Object.values(rest), ...Object.values(read ?? {}), ...seen.sort()].join();
  };

const UNITS = 100n;

function factsOf(world: HarvestWorld, { hasBot, hasBadResult }: HarvestBounds): HarvestFacts {
  const { read, money, failure, state } = world;
  const balanceUnits = read?.hasMoney ? UNITS : 0n;
  return {
    ...HEALTHY_FACTS,
    deadline: world.isLate ? HEALTHY_FACTS.now : null,
    hasBot,
    isAcknowledged: world.isAcknowledged,
    isResumeAwaited: world.isResumeAwaited,
    exchange: read && { ...EMPTY_EXCHANGE, openPositions: Number(read.hasPosition), balanceUnits },
    earlierExchange: read && {
      ...EMPTY_EXCHANGE,
      ageMs: 60_000,
      openPositions: Number(read.hasPosition),
    },
    startBalanceUnits: UNITS,
    returnedUnits: money === 'exchange' || money === 'withdrawn' ? 0n : UNITS,
    valuationReasons: hasBadResult ? ['large_result'] : [],
    isValuationApproved: world.isApproved,
    uncoveredUnits: world.isUncovered ? 1n : 0n,
    pendingOperations: Number(world.hasPending),
    fundingUnits: money === 'proxy' || state.step !== 'planning' ? UNITS : 0n,
    creditedUnits: world.funding === 'credited' ? UNITS : 0n,
    transitUnits: world.isInTransit ? UNITS : 0n,
    failure,
    resolution: null,
  };
}

/** Everything that can happen next. */
export function stepsOfHarvest(bounds: HarvestBounds, guards: HarvestGuards = HARVEST_GUARDS) {
  return (world: HarvestWorld): Step<HarvestWorld>[] => {
    const steps: Step<HarvestWorld>[] = [];
    // Without its money there is no second cycle to look at.
    if (world.isGivenUp && world.state.status === 'stopped' && !world.isResumeAwaited) return steps;
    const step = (name: string, change: (next: HarvestWorld) => unknown) => {
      const next: HarvestWorld = { ...world, workers: [...world.workers] };
      if (change(next) !== false) steps.push([name, next]);
    };
    for (const index of [0, 1]) workerSteps(world, index, bounds, guards, step);
    peopleSteps(world, bounds, guards, step);
    worldSteps(world, bounds, step);
    return steps;
  };
}

type AddStep = (name: string, change: (next: HarvestWorld) => unknown) => void;

function workerSteps(
  world: HarvestWorld,
  index: number,
  bounds: HarvestBounds,
  guards: HarvestGuards,
  step: AddStep,
): void {
  const worker = world.workers[index] as Worker;
  if (worker === null) {
    // It reads the exchange before it decides, and that read is stored.
    const read = { hasPosition: world.hasPosition, hasMoney: world.money === 'exchange' };
    for (const event of eventsOf({ ...world, read }, bounds))
      step(`worker sees ${event.kind}`, (next) => {
        next.read = read;
        next.workers[index] = { event, version: world.version, state: world.state };
      });
    return;
  }
  step('worker stops', (next) => {
    next.workers[index] = null;
  });
  step(`worker ${worker.event.kind}`, (next) => {
    next.workers[index] = null;
    const hasMoved = worker.version !== world.version;
    if (hasMoved && guards.comparesVersion) return;
    const state = guards.comparesVersion ? world.state : worker.state;
    // What the exchange credited is booked before it is reported.
    if (worker.event.kind === 'funding_credited' && next.funding === 'sent')
      Object.assign(next, { funding: 'credited', isInTransit: false });
    apply(next, decideHarvest(state, worker.event, factsOf(next, bounds), guards.transitions), worker.event);
  });
}

/** What the steps of a worker send in each state. */
function eventsOf(world: HarvestWorld, { hasBot }: HarvestBounds): HarvestEvent[] {
  const { state, funding, venue, isLate } = world;
  const worker = (kind: HarvestEvent['kind']): HarvestEvent => ({ kind, role: 'worker' });
  const bot = (kind: HarvestEvent['kind']): HarvestEvent[] => (hasBot ? [{ kind, role: 'bot' }] : []);
  const sending = funding === 'none' ? undefined : SENDING_REPORTS[funding];
  const late = isLate ? [worker('deadline_passed')] : [];
  if (state.status === 'failed') return [];
  const ofStep: Record<string, HarvestEvent[]> = {
    pausing: [...bot('trading_paused'), worker('positions_appeared')],
    checking: [worker(world.read?.hasPosition ? 'positions_appeared' : 'checked')],
    withdrawing: [worker('withdrawn')],
    valuing: [worker('valued')],
    opening: [worker('opened')],
    planning: [worker('funding_planned')],
    sending: sending ? [worker(sending)] : [],
    crediting:
      funding === 'bounced' || venue === 'rejected'
        ? [worker('deposit_rejected')]
        : venue === 'credited'
          ? [worker('funding_credited')]
          : [],
    moving: [worker('funding_moved')],
    resuming: bot('trading_resumed'),
  };
  return [...(ofStep[state.step] ?? []), ...late];
}

/** Saves a decision and does what it orders, as `apply-harvest-event.ts` in one transaction. @returns false: refused */
function apply(next: HarvestWorld, decision: HarvestDecision, { kind }: HarvestEvent): boolean {
  if (decision.kind === 'refuse') return false;
  if (decision.kind === 'move') {
    const isBegun = decision.to.status !== next.state.status;
    next.state = decision.to;
    next.failure = decision.failure;
    next.version += 1;
    next.isLate = false;
    if (isBegun) next.isApproved = false;
  }
  if (kind === 'approve_valuation') next.isApproved = true;
  for (const { kind: effect } of decision.effects) {
    if (effect === 'request_pause' || effect === 'request_resume') {
      next.asked = effect === 'request_pause' ? 'pause' : 'resume';
      next.isAcknowledged = false;
    }
    if (effect === 'request_resume') next.isResumeAwaited = true;
    if (effect === 'note_resumed' || effect === 'begin_next_cycle') next.isResumeAwaited = false;
    // Two are wrong already: no more are counted, so that a search ends.
    if (effect === 'book_valuation') next.booked = Math.min(next.booked + 1, 2);
    if (
      effect === 'order_funding' ||
      (effect === 'repeat_step' && next.state.step === 'sending' && next.funding === 'reverted')
    ) {
      next.funding = 'ordered';
      next.venue = 'none';
      next.openFundings = Math.min(next.openFundings + 1, 2);
    }
    if (effect === 'book_lost_funding' && next.isInTransit)
      Object.assign(next, { isInTransit: false, isGivenUp: true });
    if (effect === 'begin_next_cycle')
      Object.assign(next, { booked: 0, funding: 'none', venue: 'none', openFundings: 0 });
  }
  return true;
}

const ACTS = ['start', 'stop', 'close_gate', 'abort', 'retry', 'approve_valuation'] as const;
const RESOLUTIONS: readonly Resolution[] = ['repeat', 'funding_bounced', 'funding_lost'];

function peopleSteps(world: HarvestWorld, bounds: HarvestBounds, guards: HarvestGuards, step: AddStep): void {
  const act = (event: HarvestEvent, name: string, changed: Partial<HarvestFacts> = {}) =>
    step(name, (next) => {
      // An act reads the exchange first.
      next.read = { hasPosition: world.hasPosition, hasMoney: world.money === 'exchange' };
      const facts = { ...factsOf(next, bounds), ...changed };
      return apply(next, decideHarvest(world.state, event, facts, guards.transitions), event);
    });
  for (const kind of ACTS) act({ kind, role: 'super_admin' }, kind);
  for (const resolution of RESOLUTIONS)
    act({ kind: 'resolve', role: 'super_admin' }, `resolve ${resolution}`, { resolution });
  if (bounds.hasBot) return;
  // An operator says so after it has done it.
  if (!world.isTrading) act({ kind: 'trading_paused', role: 'operator' }, 'operator paused');
  if (world.isTrading) act({ kind: 'trading_resumed', role: 'operator' }, 'operator resumed');
}

/** The traders, the owner, the chain, the exchange and time. */
function worldSteps(world: HarvestWorld, { hasBot }: HarvestBounds, step: AddStep): void {
  const set = (name: string, changed: Partial<HarvestWorld>) =>
    step(name, (next) => {
      Object.assign(next, changed);
    });
  const { state, money, funding } = world;
  const isPauseAsked = world.asked === 'pause';
  if (world.isTrading === isPauseAsked || (hasBot && !world.isAcknowledged))
    set('trader does as asked', { isTrading: !isPauseAsked, isAcknowledged: hasBot });
  if (world.isTrading && !world.hasPosition) set('position opens', { hasPosition: true });
  if (world.hasPosition) set('position closes', { hasPosition: false });
  if (money === 'exchange' && state.status === 'awaiting_bybit_withdrawal')
    set('owner withdraws', { money: 'withdrawn' });
  if (money === 'withdrawn') set('withdrawal arrives', { money: 'proxy' });
  if (funding === 'ordered' && money === 'proxy') {
    const openFundings = Math.max(world.openFundings - 1, 0);
    set('funding is final', { funding: 'sent', money: 'funding', isInTransit: true, openFundings });
    set('funding reverts', { funding: 'reverted', openFundings });
  }
  if (money === 'funding' && world.venue === 'none') {
    set('exchange credits', { money: 'exchange', venue: 'credited' });
    set('exchange rejects', { venue: 'rejected' });
  }
  // It is known as the transfer that was sent only while its credit is awaited (`arrivals.store.ts`).
  if (money === 'funding' && world.venue === 'rejected')
    set(
      'funding comes back',
      state.step === 'crediting' && funding === 'sent'
        ? { money: 'proxy', funding: 'bounced', isInTransit: false }
        : { money: 'unexplained' },
    );
  if (money === 'unexplained') set('people explain it', { money: 'proxy' });
  if (state.status === 'harvesting')
    set(world.hasPending ? 'flow ends' : 'flow begins', {
      hasPending: !world.hasPending && state.step === 'open',
    });
  const isMoving = state.status !== 'stopped' && state.status !== 'harvesting' && state.status !== 'failed';
  if (isMoving && !world.isLate) set('time passes', { isLate: true });
}

/** Each rule, by its name: what is wrong in a state; null: nothing. */
export const HARVEST_RULES = {
  bookedOnce: ({ booked }: HarvestWorld) => (booked > 1 ? 'a result is booked twice' : null),
  bookedWhenOpen: ({ state, booked }: HarvestWorld) =>
    state.status === 'harvesting' && booked !== 1 ? 'open without a result' : null,
  fundedOnce: ({ openFundings }: HarvestWorld) => (openFundings > 1 ? 'funded twice' : null),
  tradesWithItsMoney: ({ state, money, isGivenUp }: HarvestWorld) =>
    state.status === 'stopped' && money !== 'exchange' && !isGivenUp
      ? `trading, and the money is ${money}`
      : null,
  pausedWhenOpen: ({ state, isTrading }: HarvestWorld) =>
    ['awaiting_bybit_withdrawal', 'harvesting'].includes(state.status) && isTrading
      ? 'trading while the money leaves'
      : null,
};

/** Refusals that say that an act is never right in this state, and not that something has to end first. */
const NEVER: ReadonlySet<HarvestRefusal> = new Set<HarvestRefusal>([
  'invalid_status',
  'not_harvesting',
  'already_stopping',
  'already_harvesting',
  'role_not_allowed',
  'decision_required',
  'bot_attached',
]);
const EVENT_OF_ACT: Partial<Record<string, HarvestEvent>> = {
  confirm_paused: { kind: 'trading_paused', role: 'operator' },
  confirm_resumed: { kind: 'trading_resumed', role: 'operator' },
  approve: { kind: 'approve_valuation', role: 'super_admin' },
  stop: { kind: 'stop', role: 'super_admin' },
  retry: { kind: 'retry', role: 'super_admin' },
  resolve: { kind: 'resolve', role: 'super_admin' },
};

/** The act that the console names as next is one that the state knows. */
export const refusedTurn =
  (bounds: HarvestBounds, { transitions }: HarvestGuards = HARVEST_GUARDS) =>
  (world: HarvestWorld): string | null => {
    const { state, failure, isResumeAwaited: is_resume_awaited } = world;
    const since = '2026-03-01T12:00:00Z';
    const times = { since, step_since: since, deadline_at: null };
    const isToApprove = state.step === 'valuing' && bounds.hasBadResult && !world.isApproved;
    const reason = state.status === 'failed' ? failure : isToApprove ? 'approval_required' : null;
    const act = turnOf({ ...state, ...times, reason, is_resume_awaited }, bounds.hasBot)?.act;
    const event = act && EVENT_OF_ACT[act];
    if (!event) return null;
    const facts = { ...factsOf(world, bounds), resolution: 'repeat' as const };
    const decision = decideHarvest(state, event, facts, transitions);
    return decision.kind === 'refuse' && NEVER.has(decision.code) ? `${act}: ${decision.code}` : null;
  };

/** No worker takes a failed cycle up again, or goes back to trading once money may have moved. */
export function wrongHarvestStep(before: HarvestWorld, step: string, after: HarvestWorld): string | null {
  if (!step.startsWith('worker ') || nameOfState(before.state) === nameOfState(after.state)) return null;
  if (before.state.status === 'failed') return 'a worker takes up a failed cycle';
  const isBack = after.state.status === 'stopped' && before.state.step !== 'resuming';
  return isBack && before.state.status !== 'starting_harvesting' ? 'a worker goes back to trading' : null;
}

/** The pool trades, with its money, and no one waits for anything. */
export const isHarvestEnd = ({ state, money, isGivenUp, workers, isResumeAwaited }: HarvestWorld): boolean =>
  state.status === 'stopped' &&
  !isResumeAwaited &&
  (isGivenUp || (money === 'exchange' && workers.every((worker) => worker === null)));
