import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import type { AttentionSearch } from '../features/attention/attention-search.ts';
import type { AuditSearch } from '../features/audit/audit-search.ts';
import type { SecurityLogSearch } from '../features/audit/security-log/security-log-search.ts';
import type { SubscriptionsSearch } from '../features/billing/subscriptions-list.ts';
import type { BotsSearch } from '../features/bots/bots-list.ts';
import type { SalesSearch } from '../features/bots/sales/sales-search.ts';
import type { DashboardSearch } from '../features/communities/dashboard/dashboard-search.ts';
import type { CommunitiesSearch } from '../features/communities/leaderboard/communities-search.ts';
import type { SettingsSearch } from '../features/communities/settings-search.ts';
import type { AccountsSearch } from '../features/exchanges/accounts-search.ts';
import type { InvoicesSearch } from '../features/invoices/invoices-search.ts';
import type { LinesSearch } from '../features/invoices/runs/run-lines-search.ts';
import type { BotsMessagesSearch } from '../features/messages/bots/bots-messages-search.ts';
import type { MessagesSearch } from '../features/messages/messages-search.ts';
import type { PayoutsSearch } from '../features/payouts/history/history-search.ts';
import type { RecipientsSearch } from '../features/payouts/recipients/book/book-search.ts';
import type { PeopleSearch } from '../features/people/people-search.ts';
import type { PoolSearch } from '../features/pools/pool/pool-search.ts';
import type { PoolsSearch } from '../features/pools/pools-search.ts';
import type { StatementSearch } from '../features/statements/statement-search.ts';
import type { DetailSearch } from '../features/traders/detail/detail-search.ts';
import type { TradersSearch } from '../features/traders/traders-search.ts';
import { localPath, parseSearch, stringifySearch } from '../lib/url/search-params.ts';
import { readByScreen } from '../lib/url/use-screen-search.ts';
import { TradersScreen } from '../routes/traders.tsx';
import { ErrorScreen, OfflineError } from '../ui/feedback/error-screen.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { ConsoleLayout } from './console-layout.tsx';

type Load = () => Promise<Record<'default', RouteComponent>>;

/**
 * A screen that is loaded when it is opened. Without a connection it says so: the router would load the whole page again,
 * which ends on the browser's own error page.
 */
const screen = (load: Load) =>
  lazyRouteComponent(() =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new OfflineError();
    }),
  );

const loadSignIn = () => import('../routes/sign-in.tsx');
// Meanwhile the console finds out how people sign in here.
if (window.location.pathname === '/sign-in') loadSignIn().catch(() => {});

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
  component: screen(loadSignIn),
});

/** For people with a link and no account. */
const outside = <const Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => root, path, component: screen(() => import('../routes/owner.tsx')) });

/** Every route that needs a sign-in is inside the shell. */
const consoleRoute = createRoute({ getParentRoute: () => root, id: 'console', component: ConsoleLayout });

/** A screen of the shell whose URL has no parameters. */
const plain = <const Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => consoleRoute, path, component: screen(load) });

const traders = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/',
  validateSearch: readByScreen<TradersSearch>,
  component: TradersScreen,
});

const trader = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/trader/$traderId',
  validateSearch: readByScreen<DetailSearch>,
  component: screen(() => import('../routes/trader.tsx')),
});

const attention = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/attention',
  validateSearch: readByScreen<AttentionSearch>,
  component: screen(() => import('../routes/attention/attention.tsx')),
});

const invoices = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/invoices',
  validateSearch: readByScreen<InvoicesSearch>,
  component: screen(() => import('../routes/invoices.tsx')),
});

const communities = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/communities',
  validateSearch: readByScreen<CommunitiesSearch>,
  component: screen(() => import('../routes/communities.tsx')),
});

const communitySettings = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId',
  validateSearch: readByScreen<SettingsSearch>,
  component: screen(() => import('../routes/community-settings.tsx')),
});

const exchangeBot = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/community-settings/$communityId/bot',
  validateSearch: readByScreen<SalesSearch>,
  component: screen(() => import('../routes/exchange-bot.tsx')),
});

const transactionHistory = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/transaction-history',
  validateSearch: readByScreen<PayoutsSearch>,
  component: screen(() => import('../routes/transaction-history.tsx')),
});

const superAdmin = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/super-admin',
  validateSearch: readByScreen<DashboardSearch>,
  component: screen(() => import('../routes/admin/super-admin.tsx')),
});

const pool = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools/$poolId',
  validateSearch: readByScreen<PoolSearch>,
  component: screen(() => import('../routes/pool.tsx')),
});

const pools = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/pools',
  validateSearch: readByScreen<PoolsSearch>,
  component: screen(() => import('../routes/pools.tsx')),
});

const toPayOut = plain('/payouts/due', () => import('../routes/admin/to-pay-out.tsx'));
const recipients = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/recipients',
  validateSearch: readByScreen<RecipientsSearch>,
  component: screen(() => import('../routes/admin/recipients.tsx')),
});
const approvals = plain('/approvals', () => import('../routes/admin/approvals.tsx'));
const overview = plain('/overview', () => import('../routes/overview/overview.tsx'));
const accounts = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/accounts',
  validateSearch: readByScreen<AccountsSearch>,
  component: screen(() => import('../routes/accounts/accounts.tsx')),
});

const invoicingRuns = plain('/invoices/runs', () => import('../routes/invoicing/runs.tsx'));
const invoicingRun = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/invoices/runs/$runId',
  validateSearch: readByScreen<LinesSearch>,
  component: screen(() => import('../routes/invoicing/run.tsx')),
});

const invoice = plain('/invoices/$invoiceId', () => import('../routes/invoicing/invoice.tsx'));

const statement = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/statements/$ownerKind/$ownerId',
  validateSearch: readByScreen<StatementSearch>,
  component: screen(() => import('../routes/statements/statement.tsx')),
});

const messages = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/messages',
  validateSearch: readByScreen<MessagesSearch>,
  component: screen(() => import('../routes/messages/messages.tsx')),
});

const botsMessages = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/messages/bots',
  validateSearch: readByScreen<BotsMessagesSearch>,
  component: screen(() => import('../routes/messages/bots-messages.tsx')),
});

const bots = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/bots',
  validateSearch: readByScreen<BotsSearch>,
  component: screen(() => import('../routes/channels/bots.tsx')),
});

const botOrder = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/bots/orders/$orderId',
  component: screen(() => import('../routes/channels/bot-order.tsx')),
});

const subscriptions = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/subscriptions',
  validateSearch: readByScreen<SubscriptionsSearch>,
  component: screen(() => import('../routes/channels/subscriptions.tsx')),
});

const providers = plain('/providers', () => import('../routes/admin/providers.tsx'));
const provider = plain('/providers/$providerId', () => import('../routes/admin/provider.tsx'));
const people = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/people',
  validateSearch: readByScreen<PeopleSearch>,
  component: screen(() => import('../routes/admin/people.tsx')),
});

const person = plain('/people/$userId', () => import('../routes/admin/person.tsx'));
const roles = plain('/roles', () => import('../routes/admin/roles.tsx'));
const settings = plain('/settings', () => import('../routes/admin/settings.tsx'));
const team = plain('/team', () => import('../routes/team.tsx'));
const serviceTokens = plain('/service-tokens', () => import('../routes/admin/service-tokens.tsx'));
const profile = plain('/profile', () => import('../routes/account/profile.tsx'));
const preferences = plain('/preferences', () => import('../routes/account/preferences.tsx'));
const exported = plain('/exports', () => import('../routes/account/exports.tsx'));
const bulkActs = plain('/bulk-acts', () => import('../routes/account/bulk-acts.tsx'));
const audit = createRoute({
  getParentRoute: () => consoleRoute,
  path: '/audit',
  validateSearch: readByScreen<Omit<SecurityLogSearch, keyof AuditSearch> & AuditSearch>,
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
    outside('/pool-owner'),
    outside('/community-owner'),
    consoleRoute.addChildren([
      transactionHistory,
      payouts,
      overview,
      toPayOut,
      recipients,
      approvals,
      attention,
      traders,
      trader,
      invoices,
      invoicingRuns,
      invoice,
      statement,
      invoicingRun,
      communities,
      communitySettings,
      exchangeBot,
      superAdmin,
      pool,
      pools,
      providers,
      provider,
      accounts,
      messages,
      botsMessages,
      bots,
      botOrder,
      subscriptions,
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
