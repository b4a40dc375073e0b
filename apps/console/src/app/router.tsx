import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { readAuditSearch } from '../features/audit/audit-search.ts';
import { readSecurityLogSearch } from '../features/audit/security-log/security-log-search.ts';
import { salesList } from '../features/bots/sales/sales-search.ts';
import { readDashboardSearch } from '../features/communities/dashboard/dashboard-search.ts';
import { communitiesList } from '../features/communities/leaderboard/communities-search.ts';
import { readSettingsSearch } from '../features/communities/settings-search.ts';
import { readInvoicesSearch } from '../features/invoices/invoices-search.ts';
import { readPayoutsSearch } from '../features/payouts/history/history-search.ts';
import { readPeopleSearch } from '../features/people/people-search.ts';
import { readPoolSearch } from '../features/pools/pool/pool-search.ts';
import { poolsList } from '../features/pools/pools-search.ts';
import { readDetailSearch } from '../features/traders/detail/detail-search.ts';
import { readTradersSearch } from '../features/traders/traders-search.ts';
import { localPath, parseSearch, stringifySearch } from '../lib/url/search-params.ts';
import { SignInScreen } from '../routes/sign-in.tsx';
import { TradersScreen } from '../routes/traders.tsx';
import { ErrorScreen, OfflineError } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { ConsoleLayout } from './console-layout.tsx';

/**
 * A screen that is loaded when it is opened. Without a connection it says so: the router would load the whole page again,
 * which ends on the browser's own error page.
 */
const screen = <Screen extends Record<'default', RouteComponent>>(load: () => Promise<Screen>) =>
  lazyRouteComponent(() =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new OfflineError();
    }),
  );

const root = createRootRoute({
  component: Outlet,
  errorComponent: ErrorScreen,
  pendingComponent: () => <Loading />,
  notFoundComponent: () => <Navigate to="/" replace />,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { from?: string } => ({ from: localPath(raw.from) }),
  component: SignInScreen,
});

const poolOwner = createRoute({
  getParentRoute: () => root,
  path: '/pool-owner',
  component: screen(() => import('../routes/pool-owner.tsx')),
});

/** Every route that needs a sign-in is inside the shell. */
const consoleRoute = createRoute({ getParentRoute: () => root, id: 'console', component: ConsoleLayout });

const traders = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/',
  validateSearch: readTradersSearch,
  component: TradersScreen,
});

const trader = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/trader/$traderId',
  validateSearch: readDetailSearch,
  component: screen(() => import('../routes/trader.tsx')),
});

const invoices = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/invoices',
  validateSearch: readInvoicesSearch,
  component: screen(() => import('../routes/invoices.tsx')),
});

const communities = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/communities',
  validateSearch: communitiesList.read,
  component: screen(() => import('../routes/communities.tsx')),
});

const communitySettings = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId',
  validateSearch: readSettingsSearch,
  component: screen(() => import('../routes/community-settings.tsx')),
});

const exchangeBot = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId/bot',
  validateSearch: salesList.read,
  component: screen(() => import('../routes/exchange-bot.tsx')),
});

const transactionHistory = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/transaction-history',
  validateSearch: readPayoutsSearch,
  component: screen(() => import('../routes/transaction-history.tsx')),
});

const superAdmin = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/super-admin',
  validateSearch: readDashboardSearch,
  component: screen(() => import('../routes/admin/super-admin.tsx')),
});

const pool = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools/$poolId',
  validateSearch: readPoolSearch,
  component: screen(() => import('../routes/pool.tsx')),
});

const pools = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools',
  validateSearch: poolsList.read,
  component: screen(() => import('../routes/pools.tsx')),
});

const providers = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/providers',
  component: screen(() => import('../routes/admin/providers.tsx')),
});

const provider = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/providers/$providerId',
  component: screen(() => import('../routes/admin/provider.tsx')),
});

const people = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/people',
  validateSearch: readPeopleSearch,
  component: screen(() => import('../routes/admin/people.tsx')),
});

const person = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/people/$userId',
  component: screen(() => import('../routes/admin/person.tsx')),
});

const roles = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/roles',
  component: screen(() => import('../routes/admin/roles.tsx')),
});

const settings = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/settings',
  component: screen(() => import('../routes/admin/settings.tsx')),
});

const team = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/team',
  component: screen(() => import('../routes/team.tsx')),
});

const serviceTokens = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/service-tokens',
  component: screen(() => import('../routes/admin/service-tokens.tsx')),
});

const profile = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/profile',
  component: screen(() => import('../routes/account/profile.tsx')),
});

const preferences = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/preferences',
  component: screen(() => import('../routes/account/preferences.tsx')),
});

const exported = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/exports',
  component: screen(() => import('../routes/account/exports.tsx')),
});

const bulkActs = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/bulk-acts',
  component: screen(() => import('../routes/account/bulk-acts.tsx')),
});

const audit = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/audit',
  validateSearch: (raw) => ({ ...readSecurityLogSearch(raw), ...readAuditSearch(raw) }),
  component: screen(() => import('../routes/admin/audit.tsx')),
});

const payouts = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/sweep-operations',
  component: () => <Navigate to="/transaction-history" replace />,
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    poolOwner,
    consoleRoute.addChildren([
      transactionHistory,
      payouts,
      traders,
      trader,
      invoices,
      communities,
      communitySettings,
      exchangeBot,
      superAdmin,
      pool,
      pools,
      providers,
      provider,
      people,
      roles,
      team,
      settings,
      person,
      serviceTokens,
      profile,
      preferences,
      exported,
      bulkActs,
      audit,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ErrorScreen,
  defaultPendingComponent: () => <Loading />,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The previous history entry is the traders list. */
    fromTraders?: boolean;
    /** The previous history entry is the leaderboard. */
    fromCommunities?: boolean;
    /** The previous history entry is the Super Admin Dashboard. */
    fromDashboard?: boolean;
  }
}
