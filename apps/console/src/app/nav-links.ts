import type { LucideIcon } from 'lucide-react';
import BellDot from 'lucide-react/icons/bell-dot';
import Bot from 'lucide-react/icons/bot';
import Building2 from 'lucide-react/icons/building-2';
import CreditCard from 'lucide-react/icons/credit-card';
import HandCoins from 'lucide-react/icons/hand-coins';
import KeyRound from 'lucide-react/icons/key-round';
import Landmark from 'lucide-react/icons/landmark';
import Layers from 'lucide-react/icons/layers';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import MessagesSquare from 'lucide-react/icons/messages-square';
import Network from 'lucide-react/icons/network';
import PlugZap from 'lucide-react/icons/plug-zap';
import Receipt from 'lucide-react/icons/receipt';
import ScrollText from 'lucide-react/icons/scroll-text';
import Settings from 'lucide-react/icons/settings';
import ShieldCheck from 'lucide-react/icons/shield-check';
import UserCog from 'lucide-react/icons/user-cog';
import Users from 'lucide-react/icons/users';
import UsersRound from 'lucide-react/icons/users-round';

export interface NavLink {
  to:
    | '/overview'
    | '/attention'
    | '/'
    | '/communities'
    | '/providers'
    | '/accounts'
    | '/pools'
    | '/invoices'
    | '/payouts/due'
    | '/transaction-history'
    | '/messages'
    | '/bots'
    | '/subscriptions'
    | '/super-admin'
    | '/people'
    | '/roles'
    | '/service-tokens'
    | '/settings'
    | '/audit';
  label: string;
  /** The key behind `g` that leads here, by its place on an English keyboard: others have other letters there. */
  code: `Key${string}`;
  icon: LucideIcon;
  /** Further paths under which the link is the current one. */
  within: readonly string[];
  superOnly?: boolean;
  /** Says how much waits for the reader. */
  isCounted?: boolean;
}

export interface NavGroup {
  /** Above its links; null: a link says it. */
  label: string | null;
  links: readonly NavLink[];
}

/**
 * The navigation. Traders, Communities, Invoices, Transaction History and Super Admin have the words and the
 * order of the console spec, section 2; the other screens come between them.
 */
export const navGroups: readonly NavGroup[] = [
  {
    label: null,
    links: [
      { to: '/overview', label: 'Overview', code: 'KeyW', icon: LayoutDashboard, within: [] },
      { to: '/attention', label: 'Attention', code: 'KeyN', icon: BellDot, within: [], isCounted: true },
    ],
  },
  {
    label: 'Clients',
    links: [
      { to: '/', label: 'Traders', code: 'KeyT', icon: Users, within: ['/trader/'] },
      {
        to: '/communities',
        label: 'Communities',
        code: 'KeyC',
        icon: Network,
        within: ['/community-settings/'],
      },
      {
        to: '/providers',
        label: 'Providers',
        code: 'KeyV',
        icon: Building2,
        within: ['/providers/'],
        superOnly: true,
      },
      { to: '/accounts', label: 'Accounts', code: 'KeyE', icon: PlugZap, within: [] },
      { to: '/pools', label: 'Pools', code: 'KeyO', icon: Layers, within: ['/pools/'] },
    ],
  },
  {
    label: 'Money',
    links: [
      { to: '/invoices', label: 'Invoices', code: 'KeyI', icon: Receipt, within: ['/invoices/runs'] },
      {
        to: '/payouts/due',
        label: 'To pay out',
        code: 'KeyY',
        icon: HandCoins,
        within: ['/recipients'],
        superOnly: true,
      },
      { to: '/transaction-history', label: 'Transaction History', code: 'KeyH', icon: Landmark, within: [] },
    ],
  },
  {
    label: 'Channels',
    links: [
      { to: '/messages', label: 'Messages', code: 'KeyM', icon: MessagesSquare, within: ['/messages/'] },
      { to: '/bots', label: 'Bots', code: 'KeyJ', icon: Bot, within: ['/bots/'], superOnly: true },
      {
        to: '/subscriptions',
        label: 'Subscriptions',
        code: 'KeyB',
        icon: CreditCard,
        within: [],
        superOnly: true,
      },
    ],
  },
  {
    label: null,
    links: [
      {
        to: '/super-admin',
        label: 'Super Admin',
        code: 'KeyD',
        icon: ShieldCheck,
        within: [],
        superOnly: true,
      },
      {
        to: '/people',
        label: 'People',
        code: 'KeyP',
        icon: UsersRound,
        within: ['/people/'],
        superOnly: true,
      },
      { to: '/roles', label: 'Roles', code: 'KeyR', icon: UserCog, within: [], superOnly: true },
      { to: '/service-tokens', label: 'Tokens', code: 'KeyK', icon: KeyRound, within: [], superOnly: true },
      { to: '/settings', label: 'Settings', code: 'KeyS', icon: Settings, within: [], superOnly: true },
      { to: '/audit', label: 'Audit', code: 'KeyA', icon: ScrollText, within: [], superOnly: true },
    ],
  },
];

/** The groups and links that a person may open. */
export function navFor({ super: isSuper }: { super: boolean }): readonly NavGroup[] {
  return navGroups
    .map(({ label, links }) => ({ label, links: links.filter(({ superOnly }) => isSuper || !superOnly) }))
    .filter(({ links }) => links.length > 0);
}

export function isCurrent(link: NavLink, pathname: string): boolean {
  return pathname === link.to || link.within.some((prefix) => pathname.startsWith(prefix));
}
