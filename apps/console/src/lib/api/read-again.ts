import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Queries whose first answer is awaited, to be read again then. */
const awaited = new WeakSet<Query>();

/**
 * Reads again what may have changed. A query that waits for its first answer is left alone by an invalidation, and the
 * answer may be from before the change: it is read again once it is there. To cancel it instead would keep a screen that
 * loads slowly from ever showing where something changes all the time.
 */
export function invalidate(client: QueryClient, { queryKey }: { queryKey: QueryKey }): Promise<void> {
  for (const query of client.getQueryCache().findAll({ queryKey, type: 'active', fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || awaited.has(query)) continue;
    awaited.add(query);
    const again = () => {
      awaited.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    // It begins no other read while one is under way.
    query.fetch().then(again, again);
  }
  return client.invalidateQueries({ queryKey });
}

/**
 * For `onSettled`: reads again what an act may have changed, also after a refusal, which may come from another person's
 * change. The act is under way until the reads have ended, so that its button does not meet the old state; a refusal shows
 * at once, however slow they are.
 */
export const readAgain = (client: QueryClient, queryKey: QueryKey) => (_: unknown, failure: Error | null) => {
  const reading = invalidate(client, { queryKey });
  return failure ? undefined : reading;
};
