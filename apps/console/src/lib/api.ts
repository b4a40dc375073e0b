import { type Credentials, createClient } from './call.ts';
import { sendAsChosen } from './chosen-send.ts';

let current: Credentials | null = null;

/** Sets the source of the client's tokens. Without credentials calls are anonymous. */
export function connectCredentials(credentials: Credentials | null): void {
  current = credentials;
}

/**
 * What hooks of providers say before they call without a session (super-admin spec, section 8). The server would refuse
 * the call anyway.
 */
export async function requireToken(): Promise<void> {
  if (!current) throw new Error('User not signed in');
  if ((await current.getToken()) === null) throw new Error('No authorization token available');
}

export const { call, open } = createClient(() => current, sendAsChosen);
