import type { Session } from '../venue.ts';

const TTL_MS = 12 * 3_600_000;
/** An unknown contract may be new, but the list is read at most once a minute. */
const REFRESHED_AT_MOST_MS = 60_000;

export interface ContractFacts<T> {
  /** The facts about a contract; undefined when the venue does not list it. */
  find(session: Session, venueSymbol: string): Promise<T | undefined>;
  /** All facts. */
  list(session: Session): Promise<ReadonlyMap<string, T>>;
}

/**
 * Facts about all contracts of a venue, such as their size. They are read without a key, once for all waiting callers.
 * A failed read is not cached. A missing contract triggers a new read: it may have been listed since.
 * @param ttlMs how long they are used, in ms: 12 hours when left out
 */
export function createContractFacts<T>(
  load: (session: Session) => Promise<ReadonlyMap<string, T>>,
  ttlMs = TTL_MS,
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

  const ageOf = (session: Session) => (known ? session.now() - known.readAt : Number.POSITIVE_INFINITY);
  const list = async (session: Session) =>
    known && ageOf(session) < ttlMs ? known.facts : await reload(session);

  return {
    list,
    async find(session, venueSymbol) {
      const ageMs = ageOf(session);
      const facts = await list(session);
      const found = facts.get(venueSymbol);
      if (found !== undefined || ageMs < REFRESHED_AT_MOST_MS || facts !== known?.facts) return found;
      return ageMs < ttlMs ? (await reload(session)).get(venueSymbol) : found;
    },
  };
}
