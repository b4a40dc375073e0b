import { useEffect } from 'react';
import { clockTime } from '../format/read-time.ts';
import { createStore } from '../store.ts';

/** From when the figures on screen are, in words; null where a screen has none that are counted beforehand. */
export const shownAsOf = createStore<string | null>(null);

/**
 * Says in the top bar from when the figures of a screen are.
 * @param at null or undefined: not known yet, or never
 */
export function useAsOf(at: string | null | undefined, figures: 'Totals' | 'Counts' = 'Totals'): void {
  useEffect(() => {
    shownAsOf.set(at ? `${figures} as of ${clockTime(at)}` : null);
    return () => shownAsOf.set(null);
  }, [at, figures]);
}
