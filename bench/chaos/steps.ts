import { ENGINE_STEPS } from '../../apps/server/src/features/transfers/engine/engine.ts';

/** Moments beside those of the engine: while imported books are opened, and while stuck shares leave their payouts. */
const MORE_STEPS = ['opening_asked', 'opening_posted', 'shares_returned'] as const;

/** Every moment at which a payer may be made to die. */
export const PAYER_STEPS = [...MORE_STEPS, ...ENGINE_STEPS];
export type PayerStep = (typeof PAYER_STEPS)[number];
