import type { Theme } from '@copydesk/domain/person';
import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import Menu from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { accessBadge } from '../features/identity/access.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity } from '../features/identity/identity-context.ts';
import { isPaletteOpen } from '../features/search/palette-store.ts';
import { clockTime, zoneName } from '../lib/format/zone-time.ts';
import { readings } from '../lib/live/freshness.ts';
import { liveStatus } from '../lib/live/live-status.ts';
import { usePersonSettings } from '../lib/person-settings.ts';
import { useStore } from '../lib/store.ts';
import { Badge } from '../ui/feedback/badge.tsx';
import { LiveIndicator } from '../ui/feedback/live-indicator.tsx';
import { Button } from '../ui/form/button.tsx';
import { showTheme, ThemeToggle } from '../ui/layout/theme-toggle.tsx';
import { Wordmark } from '../ui/layout/wordmark.tsx';
import type { NavGroup } from './nav-links.ts';
import { OrgSwitcher } from './org-switcher.tsx';
import { type OrganizationChoice, useOrganizationChoice } from './organization-choice.ts';

const loadDrawer = () => import('./drawer-content.tsx');
const DrawerContent = lazy(loadDrawer);

const Readings = lazy(() => import('./readings.tsx'));

/** Above every screen: search, freshness, and whose account is in use. */
export function TopBar({ user, groups }: { user: SignedInUser; groups: readonly NavGroup[] }) {
  const { UserMenu } = useIdentity().client;
  const badge = accessBadge(user);
  const choice = useOrganizationChoice(user);
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 max-sm:py-2 sm:h-12 sm:flex-nowrap sm:px-6">
      <Drawer groups={groups} choice={choice} />
      <Link to="/overview" aria-label="Copydesk, overview" className="rounded-md lg:hidden">
        <Wordmark />
      </Link>
      {badge && <SearchBox />}
      {badge && <Freshness />}
      <div className={clsx('flex min-w-0 items-center gap-3 max-sm:ms-auto', !badge && 'ms-auto')}>
        {badge && (
          // The switcher has the same name where there is room for it.
          <span className={clsx('flex min-w-0', user.organization !== null && 'lg:hidden')}>
            <Badge tone="accent">{badge}</Badge>
          </span>
        )}
        {choice && (
          <span className="hidden min-w-0 lg:flex">
            <OrgSwitcher choice={choice} />
          </span>
        )}
        <span className="flex items-center gap-1">
          <OwnTheme isOwn={user.viewed_by === null} />
          <UserMenu />
        </span>
      </div>
    </header>
  );
}

/** The code that saves loads with the first save, and reports its own failures. */
const keepTheme = (theme: Theme) =>
  void import('../ui/form/change-settings.ts').then(({ changeSettings }) =>
    changeSettings({ theme }).catch(() => {}),
  );

/** The theme of the person on screen. A person who views as another one keeps the present theme. */
function OwnTheme({ isOwn }: { isOwn: boolean }) {
  const { theme } = usePersonSettings();
  useEffect(() => {
    if (isOwn) showTheme(theme);
  }, [isOwn, theme]);
  return <ThemeToggle onChoose={isOwn ? keepTheme : undefined} />;
}

/** Ctrl+K opens and closes the search from wherever one is, also from a field; a dialog keeps what is typed in it. */
function onSearchKey(event: KeyboardEvent): void {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (code !== 'KeyK' || ctrlKey === metaKey || altKey || shiftKey) return;
  // Browsers have an own use for it.
  event.preventDefault();
  const isOpen = isPaletteOpen.get();
  if (isOpen || !document.querySelector('[role$=dialog], dialog[open]')) isPaletteOpen.set(!isOpen);
}

/**
 * Looks like a field and opens the search, which has the real one. Key presses before it has loaded count.
 */
function SearchBox() {
  useEffect(() => {
    document.addEventListener('keydown', onSearchKey);
    return () => document.removeEventListener('keydown', onSearchKey);
  }, []);
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={() => isPaletteOpen.set(true)}
      className="flex h-8 items-center gap-2 rounded-md border border-control bg-surface px-2.5 text-muted hover:border-line-strong md:w-70 md:max-w-full max-xl:md:w-48"
    >
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <span className="flex-1 truncate text-start max-md:sr-only">Search or jump to</span>
      <span aria-hidden="true" className="rounded border border-line px-1 font-mono text-xs max-xl:hidden">
        Ctrl K
      </span>
    </button>
  );
}

/** Whether changes arrive, from when the figures are, and in which zone every time is. */
function Freshness() {
  const live = useStore(liveStatus);
  const all = useStore(readings);
  const [asOf] = all;
  const zone = zoneName(asOf?.at);
  return (
    <p className="flex min-w-0 items-center gap-2 text-xs whitespace-nowrap text-muted sm:ms-auto">
      <LiveIndicator status={live} />
      <span className="flex min-w-0 items-center gap-1">
        {asOf &&
          (all.length > 1 || asOf.isOutside ? (
            <Suspense>
              <Readings all={all} />
            </Suspense>
          ) : (
            <span className="truncate tabular-nums">
              {asOf.what} as of {clockTime(asOf.at).slice(0, -zone.length)}
            </span>
          ))}
        <Link
          to="/preferences"
          title="Every time on screen is in this zone"
          className="inline-flex min-h-6 items-center rounded hover:text-ink hover:underline"
        >
          {zone}
        </Link>
      </span>
    </p>
  );
}

/** The navigation of narrow screens. */
function Drawer({ groups, choice }: { groups: readonly NavGroup[]; choice: OrganizationChoice | null }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const href = useLocation({ select: (location) => location.pathname });
  const close = () => dialog.current?.close();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the drawer
  useEffect(close, [href]);
  const open = () => {
    dialog.current?.showModal();
    setOpen(true);
  };
  return (
    <>
      <Button
        square
        look="quiet"
        className="-ms-2 lg:hidden"
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadDrawer()}
        onFocus={() => void loadDrawer()}
        onClick={open}
      >
        <Menu className="size-4" aria-hidden="true" />
      </Button>
      <dialog
        ref={dialog}
        aria-label="Menu"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === dialog.current && close()}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        className="m-0 h-dvh max-h-none w-72 max-w-[calc(100vw-3rem)] border-e border-line bg-surface text-ink backdrop:bg-black/45"
      >
        {isOpen && (
          <Suspense>
            <DrawerContent {...{ groups, choice }} onClose={close} />
          </Suspense>
        )}
      </dialog>
    </>
  );
}
