import { queryClient } from './query-client.ts';

let owner: string | null = null;

/** What one person was shown is not there for the next one to sign in on the same page. */
export function claimQueryCache(userId: string): void {
  if (owner !== null && owner !== userId) queryClient.clear();
  owner = userId;
}
