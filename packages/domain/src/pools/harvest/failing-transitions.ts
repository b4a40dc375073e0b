import * as guards from './harvest-guards.ts';
import { MOVING_STEPS, type MovingState } from './harvest-states.ts';
import { type HarvestTransition, SUPER_ADMIN, stoppingAt, WORKER } from './harvest-transition.ts';

/** Out of every state that has a deadline. */
export const FAILING_TRANSITIONS: HarvestTransition[] = [
  ...Object.keys(MOVING_STEPS).map(
    (status): HarvestTransition => ({
      status: status as MovingState['status'],
      step: 'any',
      event: 'deadline_passed',
      roles: WORKER,
      guards: [guards.isLate],
      to: { failed: 'deadline_passed' },
      effects: ['alert'],
    }),
  ),
  {
    ...stoppingAt('sending'),
    event: 'transfer_reverted',
    roles: WORKER,
    guards: [],
    to: { failed: 'transfer_reverted' },
    effects: ['alert'],
  },
  {
    ...stoppingAt('crediting'),
    event: 'deposit_rejected',
    roles: WORKER,
    guards: [],
    to: { failed: 'deposit_rejected' },
    effects: ['alert'],
  },
];

const DECIDED = [guards.hasTwoPeople, guards.hasResolution];

/** Out of a failure. */
export const RECOVERING_TRANSITIONS: HarvestTransition[] = [
  {
    status: 'failed',
    step: 'any',
    event: 'retry',
    roles: SUPER_ADMIN,
    guards: [guards.canRepeat],
    to: 'back',
    effects: ['repeat_step'],
  },
  {
    status: 'failed',
    step: 'crediting',
    event: 'resolve',
    roles: SUPER_ADMIN,
    when: ({ resolution }) => resolution === 'funding_bounced',
    guards: [...DECIDED, guards.hasNothingInTransit],
    to: stoppingAt('planning'),
    effects: [],
  },
  {
    status: 'failed',
    step: 'crediting',
    event: 'resolve',
    roles: SUPER_ADMIN,
    when: ({ resolution, creditedUnits }) => resolution === 'funding_lost' && creditedUnits === 0n,
    guards: [...DECIDED, guards.hasLost],
    to: stoppingAt('resuming'),
    effects: ['book_lost_funding', 'request_resume'],
  },
  {
    status: 'failed',
    step: 'crediting',
    event: 'resolve',
    roles: SUPER_ADMIN,
    when: ({ resolution }) => resolution === 'funding_lost',
    guards: DECIDED,
    to: stoppingAt('moving'),
    effects: ['book_lost_funding'],
  },
  {
    status: 'failed',
    step: 'any',
    event: 'resolve',
    roles: SUPER_ADMIN,
    guards: [...DECIDED, guards.isToRepeat],
    to: 'back',
    effects: ['repeat_step'],
  },
];
