import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import Building2 from 'lucide-react/icons/building-2';
import Check from 'lucide-react/icons/check';
import Menu from 'lucide-react/icons/menu';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useState } from 'react';
import { accessBadge } from '../features/identity/access.ts';
import type { SignedInUser } from '../features/identity/identity.ts';
import { useIdentity } from '../features/identity/identity-context.ts';
import { Badge } from '../ui/feedback/badge.tsx';
import { Button } from '../ui/form/button.tsx';
import { ThemeToggle } from '../ui/layout/theme-toggle.tsx';
import { Wordmark } from '../ui/layout/wordmark.tsx';
import { isCurrent, type NavLink, navLinks } from './nav-links.ts';
import { OrgSwitcher } from './org-switcher.tsx';
import { type OrganizationChoice, useOrganizationChoice } from './organization-choice.ts';

const MENU_ID = 'mobile-menu';

function Links({ links, className }: { links: readonly NavLink[]; className: string }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return links.map((link) => {
    const current = isCurrent(link, pathname);
    return (
      <Link
        key={link.to}
        to={link.to}
        aria-current={current ? 'page' : undefined}
        className={clsx(
          className,
          'flex items-center gap-2 rounded-md px-2.5 font-medium transition-colors',
          current ? 'bg-subtle text-ink' : 'text-muted hover:bg-subtle hover:text-ink',
        )}
      >
        <link.icon className="size-4" aria-hidden="true" />
        {link.label}
      </Link>
    );
  });
}

export function NavBar({ user }: { user: SignedInUser }) {
  const { UserMenu } = useIdentity().client;
  const [isOpen, setOpen] = useState(false);
  const href = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu
  useEffect(() => setOpen(false), [href]);

  const links = navLinks.filter((link) => user.super || !link.superOnly);
  const badge = accessBadge(user);
  const choice = useOrganizationChoice(user);
  const MenuIcon = isOpen ? X : Menu;
  return (
    <header className="shrink-0 border-b border-line bg-surface">
      <div className="mx-auto flex h-12 w-full max-w-7xl items-center gap-3 px-4 sm:px-6">
        <Button
          square
          look="quiet"
          className="-ml-2 lg:hidden"
          aria-label={isOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isOpen}
          aria-controls={MENU_ID}
          onClick={() => setOpen(!isOpen)}
        >
          <MenuIcon className="size-4" aria-hidden="true" />
        </Button>
        <Link to="/" aria-label="Copydesk, start" className="rounded-md">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className="ml-3 hidden gap-1 lg:flex">
          <Links links={links} className="h-8" />
        </nav>
        <div className="ml-auto flex min-w-0 items-center gap-2">
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
          <ThemeToggle />
          <UserMenu />
        </div>
      </div>
      <nav
        id={MENU_ID}
        aria-label="Main"
        hidden={!isOpen}
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
        className="space-y-1 border-t border-line p-2 lg:hidden"
      >
        <Links links={links} className="h-10" />
        {choice && <OrgList choice={choice} />}
      </nav>
    </header>
  );
}

/** The same choice within the menu of narrow screens. */
function OrgList({ choice: { options, present, choose } }: { choice: OrganizationChoice }) {
  const labelId = useId();
  return (
    <section aria-labelledby={labelId} className="mt-2 space-y-1 border-t border-line pt-3">
      <p id={labelId} className="px-2.5 pb-1 text-xs font-medium text-muted">
        Provider
      </p>
      {options.map(({ id, name }) => {
        const isPresent = id === present.id;
        return (
          <button
            key={id}
            type="button"
            aria-pressed={isPresent}
            onClick={() => choose(id)}
            className={clsx(
              'flex h-10 w-full items-center gap-2 rounded-md px-2.5 font-medium',
              isPresent ? 'text-ink' : 'text-muted hover:bg-subtle hover:text-ink',
            )}
          >
            <Building2 className="size-4 shrink-0" aria-hidden="true" />
            <span className="truncate">{name}</span>
            {isPresent && <Check className="ml-auto size-4 shrink-0 text-accent" aria-hidden="true" />}
          </button>
        );
      })}
    </section>
  );
}
