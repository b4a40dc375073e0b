import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { hasAccess } from '../features/identity/access.ts';
import { isFactorAsked } from '../features/identity/factor-missing.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity } from '../features/identity/identity-context.ts';
import { SystemProblems } from '../features/operations/system-problems.tsx';
import { followedDistributions, followedRuns } from '../features/payouts/follow/followed-distributions.ts';
import { isPaletteOpen, resetPalette } from '../features/search/palette-store.ts';
import { StopBanner } from '../features/transfers/stops/stop-banner.tsx';
import { guardCopiedTables } from '../lib/guard-copied-tables.ts';
import { followChanges } from '../lib/live/change-events.ts';
import { chosenOrganization } from '../lib/organization.ts';
import { usePersonSettings } from '../lib/person-settings.ts';
import { useStore } from '../lib/store.ts';
import { viewedUser } from '../lib/view-as.ts';
import { createRefresher } from './create-refresher.ts';
import type { NavGroup } from './nav-links.ts';

/** How long `g` waits for a letter. */
const WAITS_MS = 1_500;

/** Loaded once a distribution or a payout run is ordered. */
const FollowedPayouts = lazy(() => import('../features/payouts/follow/followed-payouts.tsx'));
const AddFactorDialog = lazy(() => import('../features/identity/add-factor-dialog.tsx'));
const SearchPalette = lazy(() => import('./search-palette.tsx'));
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'));

guardCopiedTables(document);

/** Parts that every screen needs, but not for its first look: they load while the first list is read. */
export default function BesideScreens({ user, groups }: { user: SignedInUser; groups: readonly NavGroup[] }) {
  const isGranted = hasAccess(user);
  const isAsked = useStore(isFactorAsked);
  const isFollowing = useStore(followedDistributions).length + useStore(followedRuns).length > 0;
  useLiveUpdates(isGranted, user.id);
  return (
    <>
      <Shortcuts groups={groups} />
      {isGranted && <Search isSuper={user.super} groups={groups} />}
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
    </>
  );
}

/** The top bar opens it. */
function Search({ isSuper, groups }: { isSuper: boolean; groups: readonly NavGroup[] }) {
  const isOpen = useStore(isPaletteOpen);
  useEffect(() => resetPalette, []);
  return (
    isOpen && (
      <Suspense>
        <SearchPalette groups={groups} isSuper={isSuper} onClose={() => isPaletteOpen.set(false)} />
      </Suspense>
    )
  );
}

/** Refreshes the screen when the server reports a change. */
function useLiveUpdates(isGranted: boolean, userId: string): void {
  const queryClient = useQueryClient();
  const { client } = useIdentity();
  useEffect(() => {
    if (!isGranted) return;
    const { getToken, forget } = client;
    // What this tab sees: a change of any of these loads the page again.
    const audience = [userId, viewedUser(), chosenOrganization()].join(' ');
    return followChanges({ getToken, onLost: forget }, audience, createRefresher(queryClient));
  }, [isGranted, userId, client, queryClient]);
}

const isTyping = (target: EventTarget | null) =>
  (target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable]') != null;

/** Single keys outside of fields and dialogs. Rows have keys of their own, and the search of a list has `/`. */
function Shortcuts({ groups }: { groups: readonly NavGroup[] }) {
  const { shortcuts } = usePersonSettings();
  const navigate = useNavigate();
  const [isShown, setShown] = useState(false);
  const goneAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (!shortcuts) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { code, key, target, timeStamp, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || defaultPrevented || isTyping(target)) return;
      if (document.querySelector('[role=dialog], [role=alertdialog], dialog[open]')) return;
      const isSecond = timeStamp - goneAt.current < WAITS_MS;
      goneAt.current = Number.NEGATIVE_INFINITY;
      const to = isSecond && groups.flatMap(({ links }) => links).find((link) => link.code === code)?.to;
      if (to) void navigate({ to });
      else if (key === '?') setShown(true);
      else if (code === 'KeyG') goneAt.current = timeStamp;
      else if (code === 'KeyE')
        document.querySelector<HTMLElement>('main [aria-label="Export CSV"]')?.click();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts, groups, navigate]);

  return (
    isShown && (
      <Suspense>
        <ShortcutsDialog groups={groups} onClose={() => setShown(false)} />
      </Suspense>
    )
  );
}
