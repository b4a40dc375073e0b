import type { SignedInUser } from '../identity.ts';

/** Whether the account has an authenticator app, with or without passkeys beside it. */
export function hasAuthenticatorApp({ reauthenticates_by }: SignedInUser): boolean {
  return reauthenticates_by === 'code' || reauthenticates_by === 'code_or_passkey';
}
