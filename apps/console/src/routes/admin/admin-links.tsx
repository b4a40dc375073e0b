import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { StopButton } from '../../features/transfers/stops/stop-button.tsx';

const LINKS = [
  { to: '/super-admin', label: 'Dashboard' },
  { to: '/providers', label: 'Providers' },
  { to: '/people', label: 'People' },
  { to: '/roles', label: 'Roles' },
  { to: '/service-tokens', label: 'Tokens' },
  { to: '/settings', label: 'Settings' },
  { to: '/audit', label: 'Audit' },
] as const;

/** The screens of super admins, above each of them, and what an incident needs within one click. */
export function AdminLinks() {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <nav aria-label="Super admin" className="-mx-1 flex flex-wrap gap-1">
        {LINKS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            aria-current={pathname === to ? 'page' : undefined}
            className={clsx(
              'flex h-7 items-center rounded-md px-2 text-xs font-medium transition-colors',
              pathname === to ? 'bg-subtle text-ink' : 'text-muted hover:bg-subtle hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <StopButton />
    </div>
  );
}
