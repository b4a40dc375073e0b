import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * For `onSettled`: reads again what an act may have changed, also after a refusal, which may come from another person's
 * change. The act is under way until the reads have ended, so that its button does not meet the old state; a refusal shows
 * at once, however slow they are.
 */
export const readAgain = (client: QueryClient, queryKey: QueryKey) => (_: unknown, failure: Error | null) => {
  const reading = client.invalidateQueries({ queryKey });
  return failure ? undefined : reading;
};
