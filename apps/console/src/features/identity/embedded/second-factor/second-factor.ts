import { useQuery } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api.ts';
import type { SignedInUser } from '../../identity.ts';

/** The second factors of the own account. */
export function useSecondFactor() {
  return useQuery({
    queryKey: ['own-second-factor'],
    refetchOnMount: true,
    queryFn: async ({ signal }) => (await call('GET /api/me/second-factor', { signal })).data,
  });
}

/** Whether the account has an authenticator app, with or without passkeys beside it. */
export function hasAuthenticatorApp({ reauthenticates_by }: SignedInUser): boolean {
  return reauthenticates_by === 'code' || reauthenticates_by === 'code_or_passkey';
}
