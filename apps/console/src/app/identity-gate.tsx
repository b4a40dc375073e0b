import { type PropsWithChildren, useEffect, useState } from 'react';
import { recordFactorMissing } from '../features/identity/factor-missing.ts';
import type { LoadedIdentity } from '../features/identity/identity.ts';
import { IdentityContext } from '../features/identity/identity-context.ts';
import { loadIdentity } from '../features/identity/load-identity.ts';
import { connectCredentials } from '../lib/api/api.ts';
import { ErrorBoundary } from '../ui/feedback/error-boundary.tsx';
import { Loading } from '../ui/feedback/loading.tsx';

const loading = loadIdentity().then((identity) => {
  const { getToken, forget, confirmRecentAuth } = identity.client;
  connectCredentials({ getToken, onLost: forget, confirmRecentAuth, onFactorMissing: recordFactorMissing });
  void identity.client.refresh();
  return identity;
});

type State = { identity: LoadedIdentity } | { error: unknown } | null;

/** Held in state instead of suspending: React delays the content after a suspended screen by 300 ms. */
function Loaded({ children }: PropsWithChildren) {
  const [state, setState] = useState<State>(null);
  useEffect(() => {
    loading.then(
      (identity) => setState({ identity }),
      (error: unknown) => setState({ error }),
    );
  }, []);
  if (state === null) return <Loading />;
  if ('error' in state) throw state.error;
  const { Provider } = state.identity.client;
  return (
    <IdentityContext value={state.identity}>
      <Provider>{children}</Provider>
    </IdentityContext>
  );
}

/** Renders nothing until the identity service is known. */
export function IdentityGate({ children }: PropsWithChildren) {
  return (
    <ErrorBoundary>
      <Loaded>{children}</Loaded>
    </ErrorBoundary>
  );
}
