import type { HarvestEffect, HarvestEventKind, HarvestRole } from './harvest-events.ts';
import type { HarvestFacts } from './harvest-facts.ts';
import { type HarvestGuard, hasNewAcknowledgement, hasNoBot } from './harvest-guards.ts';
import type { FailureReason, HarvestState, LastingState, MovingState } from './harvest-states.ts';

/** One row of the table that decides what events do to a cycle. */
export interface HarvestTransition {
  status: HarvestState['status'];
  /** `any`: every step of the status. */
  step: HarvestState['step'] | 'any';
  event: HarvestEventKind;
  roles: readonly HarvestRole[];
  /** Of several transitions for one event, the first whose condition holds applies. */
  when?: (facts: HarvestFacts) => boolean;
  /** The first that refuses decides. */
  guards: readonly HarvestGuard[];
  /** stay: the same state. failed: the present state, or `at`, is kept in it. back: to the state that failed. */
  to: LastingState | MovingState | { failed: FailureReason; at?: MovingState } | 'stay' | 'back';
  effects: readonly HarvestEffect['kind'][];
  /** The message of `notify_owner`. */
  message?: Extract<HarvestEffect, { kind: 'notify_owner' }>['message'];
  /** The reason of `alert`, unless it is that of the failure. */
  alert?: 'positions_appeared';
}

export const SUPER_ADMIN: readonly HarvestRole[] = ['super_admin'];
export const WORKER: readonly HarvestRole[] = ['worker'];

/** The steps of stopping, as states. */
export const stoppingAt = (
  step: Extract<MovingState, { status: 'stopping_harvesting' }>['step'],
): MovingState => ({ status: 'stopping_harvesting', step });

/** The bot of a pool reports a change of its trading, or an operator where no bot is attached. */
export const reportedBy = (row: Omit<HarvestTransition, 'roles' | 'guards'>): HarvestTransition[] => [
  { ...row, roles: ['bot'], guards: [hasNewAcknowledgement] },
  { ...row, roles: ['operator'], guards: [hasNoBot] },
];
