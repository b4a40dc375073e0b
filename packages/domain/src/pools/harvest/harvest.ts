import { FAILING_TRANSITIONS, RECOVERING_TRANSITIONS } from './failing-transitions.ts';
import type { HarvestEffect, HarvestEvent, HarvestRefusal } from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import type { FailureReason, HarvestState, MovingState } from './harvest-states.ts';
import type { HarvestTransition } from './harvest-transition.ts';
import { OPEN_TRANSITIONS, OPENING_TRANSITIONS, STOPPING_TRANSITIONS } from './harvesting-transitions.ts';
import { WITHDRAWING_TRANSITIONS } from './withdrawing-transitions.ts';

/** Every transition of a cycle. An event that no row accepts is refused. */
export const HARVEST_TRANSITIONS: readonly HarvestTransition[] = [
  ...WITHDRAWING_TRANSITIONS,
  ...OPENING_TRANSITIONS,
  ...OPEN_TRANSITIONS,
  ...STOPPING_TRANSITIONS,
  ...FAILING_TRANSITIONS,
  ...RECOVERING_TRANSITIONS,
];

export type HarvestDecision =
  | { kind: 'move'; to: HarvestState; failure: FailureReason | null; effects: HarvestEffect[] }
  | { kind: 'stay'; effects: HarvestEffect[] }
  | { kind: 'refuse'; code: HarvestRefusal; detail: string };

/**
 * Decides what an event does to a cycle. Pure and total: an event that the table does not list for the state and the
 * role is refused. The caller applies a move with compare and swap on state and version, in one transaction with its
 * effects.
 * @param transitions others than those of a cycle, for a proof that a guard is needed
 */
export function decideHarvest(
  state: HarvestState,
  event: HarvestEvent,
  facts: HarvestFacts,
  transitions: readonly HarvestTransition[] = HARVEST_TRANSITIONS,
): HarvestDecision {
  const listed = transitionsOf(state, event.kind, transitions);
  if (listed.length === 0) return refuseStatus(state, event);
  const allowed = listed.filter(({ roles }) => roles.includes(event.role));
  if (allowed.length === 0)
    return { kind: 'refuse', code: 'role_not_allowed', detail: `${event.role} cannot cause ${event.kind}` };
  const transition = allowed.find(({ when }) => when === undefined || when(facts));
  if (!transition) return refuseStatus(state, event);
  for (const guard of transition.guards) {
    const refusal = guard(facts);
    if (refusal) return { kind: 'refuse', ...refusal };
  }
  return applyTransition(state, transition);
}

/** The events that can happen in a state, by the roles that may cause them; guards may still refuse. */
export function transitionsOf(
  state: HarvestState,
  event?: HarvestEvent['kind'],
  transitions: readonly HarvestTransition[] = HARVEST_TRANSITIONS,
): readonly HarvestTransition[] {
  return transitions.filter(
    (transition) =>
      transition.status === state.status &&
      (transition.step === 'any' || transition.step === state.step) &&
      (event === undefined || transition.event === event),
  );
}

function applyTransition(state: HarvestState, transition: HarvestTransition): HarvestDecision {
  const { to } = transition;
  if (to === 'stay') return { kind: 'stay', effects: effectsOf(transition, null) };
  if (to === 'back') {
    if (state.status !== 'failed') throw new TypeError('only a failed cycle goes back');
    return {
      kind: 'move',
      to: { status: state.failedFrom, step: state.step } as MovingState,
      failure: null,
      effects: effectsOf(transition, null),
    };
  }
  if (!('failed' in to)) return { kind: 'move', to, failure: null, effects: effectsOf(transition, null) };
  const { step, status } = to.at ?? (state as MovingState);
  return {
    kind: 'move',
    to: { status: 'failed', step, failedFrom: status },
    failure: to.failed,
    effects: effectsOf(transition, to.failed),
  };
}

function effectsOf(
  { effects, message, alert }: HarvestTransition,
  failure: FailureReason | null,
): HarvestEffect[] {
  return effects.map((kind): HarvestEffect => {
    if (kind === 'notify_owner') {
      if (!message) throw new TypeError('a message to the owner has no text');
      return { kind, message };
    }
    if (kind === 'alert') {
      const reason = alert ?? failure;
      if (!reason) throw new TypeError('an alert has no reason');
      return { kind, reason };
    }
    return { kind };
  });
}

/** The codes of the specification for starting and stopping in a state that does not allow it. */
function refuseStatus({ status }: HarvestState, { kind }: HarvestEvent): HarvestDecision {
  return { kind: 'refuse', code: codeOf(status, kind), detail: `${kind} is not possible while ${status}` };
}

function codeOf(status: HarvestState['status'], event: HarvestEvent['kind']): HarvestRefusal {
  if (event === 'start') return ON_THE_WAY.includes(status) ? 'already_harvesting' : 'invalid_status';
  if (event === 'stop') return status === 'stopping_harvesting' ? 'already_stopping' : 'not_harvesting';
  return 'invalid_status';
}

const ON_THE_WAY: readonly HarvestState['status'][] = [
  'starting_harvesting',
  'awaiting_bybit_withdrawal',
  'processing_invoices',
  'harvesting',
];
