import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIdentity } from '../features/identity/identity-context.ts';
import { followChanges } from '../lib/change-events.ts';
import { createRefresher } from './create-refresher.ts';

/** Refreshes the screen when the server reports a change. */
export function useLiveUpdates(isGranted: boolean): void {
  const queryClient = useQueryClient();
  const { client } = useIdentity();
  useEffect(() => {
    if (!isGranted) return;
    const { getToken, forget } = client;
    return followChanges({ getToken, onLost: forget }, createRefresher(queryClient));
  }, [isGranted, client, queryClient]);
}
