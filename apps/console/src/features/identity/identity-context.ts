import { createContext, useContext } from 'react';
import type { LoadedIdentity, Session } from './identity.ts';

export const IdentityContext = createContext<LoadedIdentity | null>(null);

export function useIdentity(): LoadedIdentity {
  const identity = useContext(IdentityContext);
  if (!identity) throw new Error('useIdentity must be used within the identity provider');
  return identity;
}

export function useSession(): Session {
  return useIdentity().client.useSession();
}
