import { useEffect, useId } from 'react';
import { createStore } from '../store.ts';

export interface Reading {
  id: string;
  /** What was read or counted: "Totals". */
  what: string;
  at: string;
  /** Read outside, from an exchange or the chain: it should not be old. */
  isOutside: boolean;
}

/** From when the figures on screen are: of each part of it that says so. */
export const readings = createStore<readonly Reading[]>([]);

/** The time of the latest change that the lists must show, in ms by the server's clock; 0 before the first. */
export const shownChangeAt = createStore(0);

/**
 * Says in the top bar from when figures of the screen are.
 * @param at null or undefined: not known yet, or never
 */
export function useAsOf(at: string | null | undefined, what = 'Totals', isOutside = false): void {
  const id = useId();
  useEffect(() => {
    if (!at) return;
    const others = () => readings.get().filter((reading) => reading.id !== id);
    readings.set([...others(), { id, what, at, isOutside }]);
    return () => readings.set(others());
  }, [id, at, what, isOutside]);
}
