import { type Credentials, createClient } from './call.ts';

let current: Credentials | null = null;

/** Tells the client whose token to send. Without credentials calls go out anonymously. */
export function connectCredentials(credentials: Credentials | null): void {
  current = credentials;
}

export const { call, open } = createClient(
  () => current,
  (input, init) => fetch(input, init),
);
