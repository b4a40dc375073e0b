import type { Principal } from '../../platform/identity/identity.ts';

/** Maximum concurrent streams of one person in one process, one per tab. */
const SEATS = 6;

/**
 * Limits the streams of one caller. It refuses the seventh instead of ending the oldest: a console reconnects at once
 * after an end, so seven tabs would keep replacing each other. After a refusal a console polls and retries at growing
 * intervals.
 */
export function createStreamSeats() {
  const taken = new Map<string, number>();
  return {
    /** @returns a function that frees the slot, or null when the caller has the maximum */
    take({ kind, id }: Pick<Principal, 'kind' | 'id'>): (() => void) | null {
      const caller = `${kind}:${id}`;
      const count = taken.get(caller) ?? 0;
      if (count >= SEATS) return null;
      taken.set(caller, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = (taken.get(caller) ?? 1) - 1;
        if (left > 0) taken.set(caller, left);
        else taken.delete(caller);
      };
    },
  };
}

export type StreamSeats = ReturnType<typeof createStreamSeats>;
