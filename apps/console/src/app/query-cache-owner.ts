import { queryClient } from './query-client.ts';

let owner: string | null = null;

/** Clears one person's data before the next one signs in on the same page. */
export function claimQueryCache(userId: string): void {
  if (owner !== null && owner !== userId) queryClient.clear();
  owner = userId;
}
