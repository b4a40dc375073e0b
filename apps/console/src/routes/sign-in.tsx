import { useRouter, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { ExternalRedirect } from '../features/identity/external-redirect.tsx';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { Loading } from '../ui/loading.tsx';

/** Links of an invitation or a password reset are meant for whoever opens them, signed in or not. */
const KEEPS_ITS_PAGE = /^#\/(accept|reset)\b/;

export function SignInScreen() {
  const { config, client } = useIdentity();
  const session = useSession();
  const router = useRouter();
  const { from } = useSearch({ from: '/sign-in' });
  const wasSignedOut = useRef(false);
  if (session.status === 'signed-out') wasSignedOut.current = true;

  const user = session.status === 'signed-in' ? session.user : null;
  const leaves = user?.admin === true && (wasSignedOut.current || !KEEPS_ITS_PAGE.test(window.location.hash));
  useEffect(() => {
    if (leaves) router.history.replace(from ?? '/');
  }, [leaves, from, router]);

  if (session.status === 'loading' || leaves) return <Loading />;
  // Only somebody who signs in here and now is sent away: who comes back must be able to choose another account.
  if (user && wasSignedOut.current) return <ExternalRedirect to={config.external_url} />;
  return (
    <Suspense fallback={<Loading />}>
      <client.SignInPage />
    </Suspense>
  );
}
