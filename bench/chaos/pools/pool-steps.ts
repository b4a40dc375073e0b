import { HARVEST_POINTS } from '../../../apps/server/src/features/pools/harvest/harvest-worker.ts';
import { ENGINE_STEPS } from '../../../apps/server/src/features/transfers/engine/engine.ts';

const SAGA_STEPS = ['decided', 'saved', 'recorded', 'performed'] as const;

export type PoolStep =
  | `harvest ${(typeof HARVEST_POINTS)[number]}`
  | `saga ${(typeof SAGA_STEPS)[number]}`
  | `engine ${(typeof ENGINE_STEPS)[number]}`;

/** Every step at which a worker of pools can be killed. */
export const POOL_STEPS: readonly PoolStep[] = [
  ...HARVEST_POINTS.map((point) => `harvest ${point}` as const),
  ...SAGA_STEPS.map((step) => `saga ${step}` as const),
  ...ENGINE_STEPS.map((step) => `engine ${step}` as const),
];
