import type { useClerk } from '@clerk/react';
import { networkError } from '../../../lib/api-error.ts';
import { createHostedTokens } from './hosted-tokens.ts';

type Clerk = ReturnType<typeof useClerk>;

/** The service's script is loaded from another host, which may be away for ever. */
const LOAD_WITHIN_MS = 10_000;
/** The script's id of a browser whose state it could not read. */
const UNREAD_CLIENT = 'client_init';
const TAB_LOCK = 'copydesk.hosted-token';

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
  /** Asks for another proof of identity. */
  prove: async (): Promise<boolean> => false,
  get: () => clerk,
};

/** @throws when its script has not arrived after ten seconds */
export function whenLoaded(): Promise<Clerk> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(
      () => reject(new Error('The sign-in service did not load within 10 seconds.')),
      LOAD_WITHIN_MS,
    );
  });
  return clerk ? Promise.resolve(clerk) : Promise.race([loading.promise, late]);
}

const tabs = new BroadcastChannel(TAB_LOCK);

/** The access token, renewed by one tab for all. */
export const tokens = createHostedTokens({
  async fetchToken() {
    const { session, status, client } = await whenLoaded();
    // Its script runs, but its API is away: whether a session is open is not known.
    if (!session && (status === 'degraded' || client?.id === UNREAD_CLIENT)) throw networkError();
    if (!session) return null;
    try {
      return await session.getToken({ skipCache: true });
    } catch (error) {
      // A session that has ended is signed out; a service that cannot be reached is not.
      if ((error as { status?: number }).status === 401) return null;
      throw networkError();
    }
  },
  exclusively: (run) => navigator.locks.request(TAB_LOCK, run),
  share: (token) => tabs.postMessage(token),
});
tabs.onmessage = ({ data }) => {
  if (typeof data === 'string') tokens.adopt(data);
};
