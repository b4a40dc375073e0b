import { useEffect } from 'react';
import { createStore } from '../store.ts';

/** From when the figures on screen are; null where a screen has none that are counted beforehand. */
export const shownAsOf = createStore<{ figures: 'Totals' | 'Counts'; at: string } | null>(null);

/** The time of the latest change that the lists must show, in ms by the server's clock; 0 before the first. */
export const shownChangeAt = createStore(0);

/**
 * Says in the top bar from when the figures of a screen are.
 * @param at null or undefined: not known yet, or never
 */
export function useAsOf(at: string | null | undefined, figures: 'Totals' | 'Counts' = 'Totals'): void {
  useEffect(() => {
    shownAsOf.set(at ? { figures, at } : null);
    return () => shownAsOf.set(null);
  }, [at, figures]);
}
