import type { useClerk } from '@clerk/react';
import { ApiError, networkError } from '../../../lib/api/api-error.ts';
import { createSessionOwner } from '../session-owner.ts';
import { createHostedTokens } from './hosted-tokens.ts';

type Clerk = ReturnType<typeof useClerk>;

/** The service's script is loaded from another host, which may be away for ever. */
const LOAD_WITHIN_MS = 10_000;
const TAB_LOCK = 'copydesk.hosted-token';
/** Of a token that another tab has shared. No caller waits for it whose own token is still good. */
const ARRIVES_WITHIN_MS = 100;

const loading = Promise.withResolvers<Clerk>();
let clerk: Clerk | null = null;

/** The service between its components and the code outside of them. */
export const service = {
  onLoaded(loaded: Clerk) {
    clerk = loaded;
    loading.resolve(loaded);
  },
  /** Another session is open, or none. */
  onSession: (_id: string | null): void => {},
  /** The service answers. */
  onReady: (): void => {},
  /** The same person signed out in another tab. */
  onEnded: (): void => {},
  /** Another person signed in. */
  onReplaced: (): void => {},
  /** Asks for another proof of identity. */
  prove: async (): Promise<boolean> => false,
  /** Address of its API for browsers. */
  frontendUrl: '',
};

/** @throws when its script has not arrived after ten seconds */
export async function whenLoaded(): Promise<Clerk> {
  if (clerk) return clerk;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('The sign-in service did not load within 10 seconds.')),
      LOAD_WITHIN_MS,
    );
  });
  return Promise.race([loading.promise, late]).finally(() => clearTimeout(timer));
}

/** The service's script reports an unknown visitor and an unreachable service in the same way. */
async function requireReachable(): Promise<void> {
  try {
    const { type, status } = await fetch(`${service.frontendUrl}/v1/environment`, { mode: 'no-cors' });
    // Of another origin the status is not shown: it has answered.
    if (type === 'opaque' || status < 500) return;
  } catch {
    // Reported below.
  }
  throw networkError();
}

export const owner = createSessionOwner({
  channel: new BroadcastChannel('copydesk.session'),
  onEnded: () => service.onEnded(),
  onReplaced: () => service.onReplaced(),
});

const tabs = new BroadcastChannel(TAB_LOCK);

/** The access token, renewed by one tab for all. */
export const tokens = createHostedTokens({
  async fetchToken() {
    const { session, status, client } = await whenLoaded();
    // Its script runs, but its API may be away: then it is not known whether a session is open.
    if (!session && (status === 'degraded' || !client?.id)) await requireReachable();
    if (!session) return null;
    try {
      return owner.admit(await session.getToken({ skipCache: true }));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // A session that has ended is signed out; a service that cannot be reached is not.
      if ((error as { status?: number }).status === 401) return null;
      throw networkError();
    }
  },
  exclusively: (run) => navigator.locks.request(TAB_LOCK, run),
  share: (token) => tabs.postMessage(token),
  arrived: () => new Promise((resolve) => setTimeout(resolve, ARRIVES_WITHIN_MS)),
});
tabs.onmessage = ({ data }) => {
  if (typeof data === 'string') tokens.adopt(data);
};
