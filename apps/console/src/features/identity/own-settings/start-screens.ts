import type { StartScreen } from '@copydesk/domain/person';

const PATHS: Record<StartScreen, string> = {
  overview: '/overview',
  attention: '/attention',
  traders: '/',
  communities: '/communities',
  pools: '/pools',
  invoices: '/invoices',
  payouts: '/transaction-history',
  dashboard: '/super-admin',
};

/** The screens that a person may start with, in the order of the navigation. */
export const startScreensOf = ({ super: isSuper }: { super: boolean }) =>
  (Object.keys(PATHS) as StartScreen[]).filter((name) => isSuper || name !== 'dashboard');

interface Starting {
  super: boolean;
  settings: { start_screen: StartScreen };
}

/** Where a person starts; rights that were taken away since lead to the traders. */
export function startPath(user: Starting): string {
  const { start_screen: chosen } = user.settings;
  return PATHS[startScreensOf(user).includes(chosen) ? chosen : 'traders'];
}
