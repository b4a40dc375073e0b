import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { hasAccess } from '../features/identity/access.ts';
import { AddFactorDialog } from '../features/identity/add-factor-dialog.tsx';
import { ExternalRedirect } from '../features/identity/external-redirect.tsx';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity, useSession } from '../features/identity/identity-context.ts';
import { noteCommunities } from '../features/identity/note-communities.ts';
import { FollowedPayouts } from '../features/payouts/follow/followed-payouts.tsx';
import { StopBanner } from '../features/stops/stop-banner.tsx';
import { SystemProblems } from '../features/system/system-problems.tsx';
import { RightsContext } from '../lib/rights.ts';
import { ErrorScreen } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { NavBar } from './nav-bar.tsx';
import { NoProviderAccess } from './no-provider-access.tsx';
import { claimQueryCache } from './query-cache-owner.ts';
import { ToSignIn } from './to-sign-in.tsx';
import { useLiveUpdates } from './use-live-updates.ts';
import { ViewingNotice } from './viewing-notice.tsx';

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
  useLiveUpdates(isGranted);

  useEffect(() => void noteCommunities(user.id), [user.id]);

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
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </button>
      <ViewingNotice user={user} />
      <NavBar user={user} />
      {isGranted && <StopBanner userId={user.id} />}
      {user.super && <SystemProblems />}
      {user.super && <FollowedPayouts />}
      <AddFactorDialog />
      {/* `relative`: hidden texts for screen readers would otherwise lengthen the page around it. */}
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="relative min-h-0 flex-1 overflow-y-auto outline-none"
      >
        <RightsContext value={user}>
          {isGranted || pathname === '/profile' ? <Outlet /> : <NoProviderAccess />}
        </RightsContext>
      </main>
    </div>
  );
}
