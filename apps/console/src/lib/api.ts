import { type Credentials, createClient } from './call.ts';
import { noticeEndOfView, withViewedUser } from './view-as.ts';

let current: Credentials | null = null;

/** Sets the source of the client's tokens. Without credentials calls are anonymous. */
export function connectCredentials(credentials: Credentials | null): void {
  current = credentials;
}

export const { call, open } = createClient(
  () => current,
  async (input, init) => {
    const headers = withViewedUser(String(input), new Headers(init?.headers));
    return noticeEndOfView(await fetch(input, { ...init, headers }));
  },
);
