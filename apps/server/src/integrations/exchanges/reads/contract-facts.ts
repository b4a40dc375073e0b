import type { Session } from '../venue.ts';

const KEPT_MS = 12 * 3_600_000;
/** An unknown contract may be new, but not every minute. */
const REFRESHED_AT_MOST_MS = 60_000;

export interface ContractFacts<T> {
  /** What is known of a contract; undefined when the venue does not list it. */
  find(session: Session, venueSymbol: string): Promise<T | undefined>;
}

/**
 * Facts of all contracts of a venue, such as their size, kept for 12 hours. They are read without a key, once for
 * all who wait. A failed read is not kept. A contract that is missing makes them be read anew: it was listed since.
 */
export function createContractFacts<T>(
  load: (session: Session) => Promise<ReadonlyMap<string, T>>,
): ContractFacts<T> {
  let known: { facts: ReadonlyMap<string, T>; readAt: number } | null = null;
  let loading: Promise<ReadonlyMap<string, T>> | null = null;

  function reload(session: Session): Promise<ReadonlyMap<string, T>> {
    loading ??= load(session)
      .then((facts) => {
        known = { facts, readAt: session.now() };
        return facts;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  }

  return {
    async find(session, venueSymbol) {
      const ageMs = known ? session.now() - known.readAt : Number.POSITIVE_INFINITY;
      const facts = known && ageMs < KEPT_MS ? known.facts : await reload(session);
      const found = facts.get(venueSymbol);
      if (found !== undefined || ageMs < REFRESHED_AT_MOST_MS || facts !== known?.facts) return found;
      return ageMs < KEPT_MS ? (await reload(session)).get(venueSymbol) : found;
    },
  };
}
