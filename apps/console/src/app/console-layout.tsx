import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { hasAccess } from '../features/identity/access.ts';
import { ExternalRedirect } from '../features/identity/external-redirect.tsx';
import { isFactorAsked } from '../features/identity/factor-missing.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { recordCommunities } from '../features/identity/record-communities.ts';
import { SystemProblems } from '../features/operations/system-problems.tsx';
import { followedDistributions } from '../features/payouts/follow/followed-distributions.ts';
import { StopBanner } from '../features/transfers/stops/stop-banner.tsx';
import { followChanges } from '../lib/live/change-events.ts';
import { chosenOrganization } from '../lib/organization.ts';
import { useFormatKey } from '../lib/person-settings.ts';
import { RightsContext } from '../lib/rights.ts';
import { useStore } from '../lib/store.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { viewedUser } from '../lib/view-as.ts';
import { ErrorScreen } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { createRefresher } from './create-refresher.ts';
import { navFor } from './nav-links.ts';
import { queryClient } from './query-client.ts';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TopBar } from './top-bar.tsx';
import { ViewingNotice } from './viewing-notice.tsx';

/** Pages of the own account, which need access to nothing. */
const OWN_PAGES = ['/profile', '/preferences'];

/** Loaded once a distribution is ordered. */
const FollowedPayouts = lazy(() => import('../features/payouts/follow/followed-payouts.tsx'));
const AddFactorDialog = lazy(() => import('../features/identity/add-factor-dialog.tsx'));

/** Admits only signed-in admins with access. No screen requests data before that. */
export function ConsoleLayout() {
  const { config } = useIdentity();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  if (session.status === 'failed') return <ErrorScreen error={session.error} />;
  if (session.status === 'signed-out') return <ToSignIn byChoice={session.byChoice} />;
  if (!session.user.admin) return <ExternalRedirect to={config.external_url} />;
  return <Shell key={session.user.id} user={session.user} />;
}

function Shell({ user }: { user: SignedInUser }) {
  useState(() => claimQueryCache(user.id));
  const main = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  const shownPath = useRef(pathname);
  const isGranted = hasAccess(user);
  const isAsked = useStore(isFactorAsked);
  const isFollowing = useStore(followedDistributions).length > 0;
  const groups = useMemo(() => navFor(user), [user]);
  const formatKey = useFormatKey();
  useLiveUpdates(isGranted);

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
      <ViewingNotice user={user} />
      <div className="flex min-h-0 flex-1">
        <Rail groups={groups} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar user={user} groups={groups} />
          <Shortcuts groups={groups} />
          {isGranted && <StopBanner userId={user.id} />}
          {user.super && <SystemProblems />}
          {isFollowing && (
            <Suspense>
              <FollowedPayouts />
            </Suspense>
          )}
          {isAsked && (
            <Suspense>
              <AddFactorDialog />
            </Suspense>
          )}
          {/* `relative`: hidden texts for screen readers would otherwise lengthen the page around it. */}
          <main
            id="main"
            ref={main}
            tabIndex={-1}
            className="relative min-h-0 flex-1 overflow-y-auto outline-none"
          >
            <RightsContext value={user}>
              {isGranted || OWN_PAGES.includes(pathname) ? (
                // Rows and charts keep the texts that they have: another format makes the screen again. The page of
                // the settings keeps the focus of whoever is changing them.
                <Outlet key={pathname === '/preferences' ? pathname : formatKey} />
              ) : (
                <NoProviderAccess />
              )}
            </RightsContext>
          </main>
        </div>
      </div>
    </div>
  );
}

function NoProviderAccess() {
  usePageTitle('No Provider Access');
  return (
    <div className="mx-auto w-full max-w-440 p-4 sm:p-6">
      <div role="alert" className="flex gap-3 rounded-lg bg-caution-soft p-4 text-caution">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <div>
          <h1 tabIndex={-1} className="font-semibold">
            No Provider Access
          </h1>
          <p className="mt-0.5 text-ink">
            You don't have access to any providers. Please contact an administrator to grant you access.
          </p>
        </div>
      </div>
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

/** Refreshes the screen when the server reports a change. */
function useLiveUpdates(isGranted: boolean): void {
  const queryClient = useQueryClient();
  const { client } = useIdentity();
  const session = useSession();
  const userId = session.status === 'signed-in' ? session.user.id : null;
  useEffect(() => {
    if (!isGranted) return;
    const { getToken, forget } = client;
    // What this tab sees: a change of any of these loads the page again.
    const audience = [userId, viewedUser(), chosenOrganization()].join(' ');
    return followChanges({ getToken, onLost: forget }, audience, createRefresher(queryClient));
  }, [isGranted, userId, client, queryClient]);
}
