import { FAILING_TRANSITIONS, RECOVERING_TRANSITIONS } from './failing-transitions.ts';
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
