import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { followChanges } from '../lib/change-events.ts';
import { chosenOrganization } from '../lib/organization.ts';
import { viewedUser } from '../lib/view-as.ts';
import { createRefresher } from './create-refresher.ts';

/** Refreshes the screen when the server reports a change. */
export function useLiveUpdates(isGranted: boolean): void {
  const queryClient = useQueryClient();
  const { client } = useIdentity();
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : null;
  useEffect(() => {
    if (!isGranted) return;
    const { getToken, forget } = client;
    // What this tab sees: a change of any of these loads the page again.
    const audience = [userId, viewedUser(), chosenOrganization()].join(' ');
    return followChanges({ getToken, onLost: forget }, audience, createRefresher(queryClient));
  }, [isGranted, userId, client, queryClient]);
}
