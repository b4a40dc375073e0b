import { useState } from 'react';
import type { PooledAccount } from '../pools-queries.ts';

type Cycle = PooledAccount['current_harvest_cycle'];

/**
 * The cycle that a question was asked about. Its version follows the cycle while that stays where it was; once it has
 * moved on, the server refuses the version that was seen.
 */
export function useOpenedCycle({ current_harvest_cycle: present }: PooledAccount): Cycle {
  const [opened] = useState(present);
  return askedAbout(opened, present);
}

/** @param opened the cycle when the question was asked */
export function askedAbout<C extends Pick<Cycle, 'id' | 'status' | 'step' | 'reason'>>(
  opened: C,
  present: C,
): C {
  const isSame = (['id', 'status', 'step', 'reason'] as const).every(
    (name) => present[name] === opened[name],
  );
  return isSame ? present : opened;
}
