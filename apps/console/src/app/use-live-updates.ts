import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIdentity } from '../features/identity/identity-context.ts';
import { tradersKeys } from '../features/traders/traders-queries.ts';
import { followChanges } from '../lib/change-events.ts';
import { throttle } from '../lib/throttle.ts';

const AT_MOST_EVERY_MS = 2_000;

/** Which groups of queries a change makes out of date. */
const GROUPS = {
  trader: [tradersKeys.all],
  community: [['communities'], tradersKeys.all],
  provider: [['providers'], tradersKeys.all],
  reset: [[]],
} as const;

/** Refreshes what is on screen when the server says that it changed. */
export function useLiveUpdates(isGranted: boolean): void {
  const queryClient = useQueryClient();
  const { client } = useIdentity();
  useEffect(() => {
    if (!isGranted) return;
    const refresh = Object.fromEntries(
      Object.entries(GROUPS).map(([topic, keys]) => [
        topic,
        throttle(() => {
          for (const queryKey of keys) {
            // Rows out of sight are dropped, not fetched again: nobody may ever look at them.
            queryClient.removeQueries({ queryKey, type: 'inactive' });
            void queryClient.invalidateQueries({ queryKey });
          }
        }, AT_MOST_EVERY_MS),
      ]),
    );
    const credentials = { getToken: client.getToken, onLost: client.forget };
    return followChanges(credentials, (change) => refresh[change.topic]?.());
  }, [isGranted, client, queryClient]);
}
