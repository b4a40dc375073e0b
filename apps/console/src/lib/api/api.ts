import { type Credentials, createClient } from './call.ts';
import { sendAsChosen } from './chosen-send.ts';

let current: Credentials | null = null;

/** Sets the source of the client's tokens. Without credentials calls are anonymous. */
export function connectCredentials(credentials: Credentials | null): void {
  current = credentials;
}

export const { call, open } = createClient(() => current, sendAsChosen);
