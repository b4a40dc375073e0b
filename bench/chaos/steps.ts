import { ENGINE_STEPS } from '../../apps/server/src/features/transfers/engine/engine.ts';

/** Steps beside those of the engine: opening of imported books, and stuck shares that leave their payouts. */
const MORE_STEPS = ['opening_asked', 'opening_posted', 'shares_returned'] as const;

/** Every step at which a payer can be killed. */
export const PAYER_STEPS = [...MORE_STEPS, ...ENGINE_STEPS];
export type PayerStep = (typeof PAYER_STEPS)[number];
