import type { StartScreen } from '@copydesk/domain/settings';

/** Where signing in can lead to, in the order of the navigation. */
const START_SCREENS: Record<StartScreen, { label: string; path: string; isSuperOnly?: true }> = {
  traders: { label: 'Traders', path: '/' },
  communities: { label: 'Communities', path: '/communities' },
  pools: { label: 'Pools', path: '/pools' },
  invoices: { label: 'Invoices', path: '/invoices' },
  payouts: { label: 'Transaction History', path: '/transaction-history' },
  dashboard: { label: 'Super Admin', path: '/super-admin', isSuperOnly: true },
};

/** The screens that a person may start with. */
export const startScreensOf = ({ super: isSuper }: { super: boolean }) =>
  (Object.keys(START_SCREENS) as StartScreen[]).filter((name) => isSuper || !START_SCREENS[name].isSuperOnly);

export const startScreenLabel = (name: StartScreen) => START_SCREENS[name].label;

interface Starting {
  super: boolean;
  settings: { start_screen: StartScreen };
}

/** Where a person starts; rights that were taken away since lead to the traders. */
export function startPath(user: Starting): string {
  const { start_screen: chosen } = user.settings;
  return START_SCREENS[startScreensOf(user).includes(chosen) ? chosen : 'traders'].path;
}
