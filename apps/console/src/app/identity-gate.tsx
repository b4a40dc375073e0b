import { type PropsWithChildren, Suspense, use } from 'react';
import { IdentityContext } from '../features/identity/identity-context.ts';
import { loadIdentity } from '../features/identity/load-identity.ts';
import { connectCredentials } from '../lib/api.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Loading } from '../ui/loading.tsx';

const loaded = loadIdentity().then((identity) => {
  connectCredentials({ getToken: identity.client.getToken, onLost: identity.client.forget });
  return identity;
});

function Loaded({ children }: PropsWithChildren) {
  const identity = use(loaded);
  const { Provider } = identity.client;
  return (
    <IdentityContext value={identity}>
      <Provider>{children}</Provider>
    </IdentityContext>
  );
}

/** Nothing shows before it is known which identity service this is. */
export function IdentityGate({ children }: PropsWithChildren) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Loaded>{children}</Loaded>
      </Suspense>
    </ErrorBoundary>
  );
}
