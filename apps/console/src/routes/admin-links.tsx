import { Link, useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';

const LINKS = [
  { to: '/super-admin', label: 'Dashboard' },
  { to: '/providers', label: 'Providers' },
  { to: '/people', label: 'People' },
  { to: '/roles', label: 'Roles' },
  { to: '/service-tokens', label: 'Tokens' },
  { to: '/settings', label: 'Settings' },
  { to: '/audit', label: 'Audit' },
] as const;

/** The screens of super admins, above each of them. */
export function AdminLinks() {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
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
  );
}
