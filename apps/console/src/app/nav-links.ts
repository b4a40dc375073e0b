import type { LucideIcon } from 'lucide-react';
import Network from 'lucide-react/icons/network';
import Receipt from 'lucide-react/icons/receipt';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Users from 'lucide-react/icons/users';

export interface NavLink {
  to: '/' | '/transaction-history' | '/invoices' | '/communities' | '/super-admin';
  label: string;
  icon: LucideIcon;
  /** Further paths under which the link is the current one. */
  within: readonly string[];
  superOnly?: boolean;
}

/** The navigation bar, in the order of the console spec, section 2; the super-admin spec adds the last link. */
export const navLinks: readonly NavLink[] = [
  { to: '/', label: 'Traders', icon: Users, within: ['/trader/'] },
  { to: '/communities', label: 'Communities', icon: Network, within: ['/community-settings/'] },
  { to: '/invoices', label: 'Invoices', icon: Receipt, within: [] },
  { to: '/transaction-history', label: 'Transaction History', icon: ScrollText, within: [] },
  {
    to: '/super-admin',
    label: 'Super Admin',
    icon: ShieldCheck,
    within: ['/pools/', '/providers', '/people', '/roles', '/service-tokens', '/settings', '/audit'],
    superOnly: true,
  },
];

export function isCurrent(link: NavLink, pathname: string): boolean {
  return pathname === link.to || link.within.some((prefix) => pathname.startsWith(prefix));
}
