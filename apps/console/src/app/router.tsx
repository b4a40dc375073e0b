import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import { readAuditSearch } from '../features/audit/audit-search.ts';
import { readDashboardSearch } from '../features/communities/dashboard/dashboard-search.ts';
import { readSettingsSearch } from '../features/communities/settings-search.ts';
import { readInvoicesSearch } from '../features/invoices/invoices-search.ts';
import { readPayoutsSearch } from '../features/payouts/history/history-search.ts';
import { readPeopleSearch } from '../features/people/people-search.ts';
import { readPoolSearch } from '../features/pools/pool/pool-search.ts';
import { readSecurityLogSearch } from '../features/security-log/security-log-search.ts';
import { readDetailSearch } from '../features/traders/detail/detail-search.ts';
import { readTradersSearch } from '../features/traders/traders-search.ts';
import { localPath, parseSearch, stringifySearch } from '../lib/search-params.ts';
import { SignInScreen } from '../routes/sign-in.tsx';
import { TradersScreen } from '../routes/traders.tsx';
import { ErrorScreen } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { ConsoleLayout } from './console-layout.tsx';

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
  component: lazyRouteComponent(() => import('../routes/pool-owner.tsx')),
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
  component: lazyRouteComponent(() => import('../routes/trader.tsx')),
});

const invoices = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/invoices',
  validateSearch: readInvoicesSearch,
  component: lazyRouteComponent(() => import('../routes/invoices.tsx')),
});

const communities = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/communities',
  component: lazyRouteComponent(() => import('../routes/communities.tsx')),
});

const communitySettings = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('../routes/community-settings.tsx')),
});

const exchangeBot = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId/bot',
  component: lazyRouteComponent(() => import('../routes/exchange-bot.tsx')),
});

const transactionHistory = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/transaction-history',
  validateSearch: readPayoutsSearch,
  component: lazyRouteComponent(() => import('../routes/transaction-history.tsx')),
});

const superAdmin = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/super-admin',
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(() => import('../routes/super-admin.tsx')),
});

const pool = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools/$poolId',
  validateSearch: readPoolSearch,
  component: lazyRouteComponent(() => import('../routes/pool.tsx')),
});

const pools = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools',
  component: lazyRouteComponent(() => import('../routes/pools.tsx')),
});

const providers = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/providers',
  component: lazyRouteComponent(() => import('../routes/providers.tsx')),
});

const provider = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/providers/$providerId',
  component: lazyRouteComponent(() => import('../routes/provider.tsx')),
});

const people = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/people',
  validateSearch: readPeopleSearch,
  component: lazyRouteComponent(() => import('../routes/people.tsx')),
});

const person = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/people/$userId',
  component: lazyRouteComponent(() => import('../routes/person.tsx')),
});

const roles = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('../routes/roles.tsx')),
});

const settings = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../routes/settings.tsx')),
});

const team = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('../routes/team.tsx')),
});

const serviceTokens = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/service-tokens',
  component: lazyRouteComponent(() => import('../routes/service-tokens.tsx')),
});

const profile = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('../routes/profile.tsx')),
});

const audit = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/audit',
  validateSearch: (raw) => ({ ...readSecurityLogSearch(raw), ...readAuditSearch(raw) }),
  component: lazyRouteComponent(() => import('../routes/audit.tsx')),
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
