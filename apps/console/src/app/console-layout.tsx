import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { hasAccess } from '../features/identity/access.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { recordCommunities } from '../features/identity/record-communities.ts';
import { useFormatKey } from '../lib/person-settings.ts';
import { RightsContext } from '../lib/rights.ts';
import { ErrorScreen } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { loadBeside } from './load-beside.ts';
import { navFor } from './nav-links.ts';
import { queryClient } from './query-client.ts';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';

/** Pages of the person's own account, open without any access. */
const OWN_PAGES = ['/profile', '/preferences'];

/** Loaded beside the first list, not before it. */
const BesideScreens = lazy(() => loadBeside(() => import('./beside-screens.tsx')));
const ViewingNotice = lazy(() => import('./viewing-notice.tsx'));
const loadNoAccess = () => import('../features/identity/no-access.tsx');
const NoProviderAccess = lazy(async () => ({ default: (await loadNoAccess()).NoProviderAccess }));
const ExternalRedirect = lazy(async () => ({ default: (await loadNoAccess()).ExternalRedirect }));

/** Admits only signed-in admins with access. No screen requests data before that. */
export function ConsoleLayout() {
  const { config } = useIdentity();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  if (session.status === 'failed') return <ErrorScreen error={session.error} />;
  if (session.status === 'signed-out') return <ToSignIn byChoice={session.byChoice} />;
  if (!session.user.admin)
    return (
      <Suspense fallback={<Loading />}>
        <ExternalRedirect to={config.external_url} />
      </Suspense>
    );
  return <Shell key={session.user.id} user={session.user} />;
}

function Shell({ user }: { user: SignedInUser }) {
  useState(() => claimQueryCache(user.id));
  const main = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  const shownPath = useRef(pathname);
  const isGranted = hasAccess(user);
  const groups = useMemo(() => navFor(user), [user]);
  const formatKey = useFormatKey();

  useEffect(() => void recordCommunities(user.id), [user.id]);

  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    (main.current?.querySelector('h1') ?? main.current)?.focus();
  }, [pathname]);

  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="absolute start-2 top-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </button>
      {user.viewed_by !== null && (
        <Suspense>
          <ViewingNotice user={user} />
        </Suspense>
      )}
      <RightsContext value={user}>
        <div className="flex min-h-0 flex-1">
          <Rail groups={groups} />
          <div className="flex min-w-0 flex-1 flex-col">
            <TopBar user={user} groups={groups} />
            <Suspense>
              <BesideScreens user={user} groups={groups} />
            </Suspense>
            {/* `relative`: hidden texts for screen readers would otherwise lengthen the page around it. */}
            <main
              id="main"
              ref={main}
              tabIndex={-1}
              className="relative min-h-0 flex-1 overflow-y-auto outline-none"
            >
              {isGranted || OWN_PAGES.includes(pathname) ? (
                // Rows and charts keep the texts that they have, so another format mounts the screen again.
                // The settings page is not mounted again: the person who changes them keeps the focus.
                <Outlet key={pathname === '/preferences' ? pathname : formatKey} />
              ) : (
                <Suspense>
                  <NoProviderAccess />
                </Suspense>
              )}
            </main>
          </div>
        </div>
      </RightsContext>
    </div>
  );
}

let owner: string | null = null;

/** Clears one person's data before the next one signs in on the same page. */
function claimQueryCache(userId: string): void {
  if (owner !== null && owner !== userId) queryClient.clear();
  owner = userId;
}

/** Redirects to the sign-in page once and remembers the present page, except after a sign-out by choice. */
function ToSignIn({ byChoice }: { byChoice: boolean }) {
  const router = useRouter();
  const [from] = useState(() => router.latestLocation.href);
  useEffect(() => {
    // The person's data does not outlive their session.
    queryClient.clear();
    const search = byChoice || from === '/' ? {} : { from };
    void router.navigate({ to: '/sign-in', search, replace: true });
  }, [router, from, byChoice]);
  return <Loading />;
}
