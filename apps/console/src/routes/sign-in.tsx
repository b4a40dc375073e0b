import { useRouter, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { startPath } from '../features/identity/own-settings/start-screens.ts';
import { Loading } from '../ui/feedback/loading.tsx';

const ExternalRedirect = lazy(async () => ({
  default: (await import('../features/identity/no-access.tsx')).ExternalRedirect,
}));

/** Links of an invitation or a password reset work for their visitor, signed in or not. */
const KEEPS_ITS_PAGE = /^#\/(accept|reset)\b/;

export default function SignInScreen() {
  const { config, client } = useIdentity();
  const session = useSession();
  const router = useRouter();
  const { from } = useSearch({ from: '/sign-in' });
  const user = session.status === 'signed-in' ? session.user : null;
  /** The person signed in on arrival: an id, or null when signed out. */
  const arrivedAs = useRef<string | null | undefined>(undefined);
  if (arrivedAs.current === undefined && (user || session.status === 'signed-out')) {
    arrivedAs.current = user?.id ?? null;
  }
  const signedInHere = user !== null && user.id !== arrivedAs.current;
  const leaves = user?.admin === true && (signedInHere || !KEEPS_ITS_PAGE.test(window.location.hash));
  useEffect(() => {
    if (leaves) router.history.replace(from ?? (signedInHere ? startPath(user) : '/'));
  }, [leaves, from, router, signedInHere, user]);

  if (session.status === 'loading' || leaves) return <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      {/* Only a sign-in on this page redirects: a returning person must be able to choose another account. */}
      {signedInHere ? <ExternalRedirect to={config.external_url} /> : <client.SignInPage />}
    </Suspense>
  );
}
