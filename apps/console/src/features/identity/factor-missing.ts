import { createStore } from '../../lib/store.ts';

/** Whether the person wanted something that needs a second factor, which its account has not. */
export const isFactorAsked = createStore(false);

export const recordFactorMissing = () => isFactorAsked.set(true);
