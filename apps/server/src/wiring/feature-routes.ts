import type { Config } from '../config.ts';
import { createOwnerLinks } from '../core/outbox/owner-link.ts';
import type { LiveSettings } from '../core/settings/live-settings.ts';
import { createAttentionRoutes } from '../features/attention/attention.routes.ts';
import { createAttentionMailRoutes } from '../features/attention/mail/attention-mail.routes.ts';
import { createTelegramRoutes } from '../features/attention/telegram/telegram.routes.ts';
import { createAuditRoutes } from '../features/audit/audit.routes.ts';
import { createSecurityLogRoutes } from '../features/audit/security-log/security-log.routes.ts';
import { createBillingRoutes } from '../features/billing/billing.routes.ts';
import { createPaymentLinkRoutes } from '../features/billing/payment-link.routes.ts';
import { createRequirePlan } from '../features/billing/require-plan.ts';
import { createExchangeBotRoutes } from '../features/bots/exchange-bot/exchange-bot.routes.ts';
import { createPlatformBotRoutes } from '../features/bots/platform-bot/platform-bot.routes.ts';
import { createBulkRoutes } from '../features/bulk/bulk.routes.ts';
import { createCommunityRoutes } from '../features/communities/communities.routes.ts';
import { createCommunityFigureRoutes } from '../features/communities/figures/community-figures.routes.ts';
import { createCommunityProviderRoutes } from '../features/communities/providers/community-providers.routes.ts';
import { createChainReadingRoutes } from '../features/deposits/watch/chain-reading.routes.ts';
import { createAccountRoutes } from '../features/exchanges/accounts/accounts.routes.ts';
import { createRevealAlarm } from '../features/exchanges/credentials/reveal-alarm.ts';
import { createExchangeRoutes } from '../features/exchanges/exchanges.routes.ts';
import { createExportRoutes } from '../features/exports/exports.routes.ts';
import { createInvoiceActRoutes } from '../features/invoices/acts/invoice-acts.routes.ts';
import { markInvoice } from '../features/invoices/acts/marking.service.ts';
import { createInvoiceDetailRoutes } from '../features/invoices/detail/invoice-detail.routes.ts';
import { createDifferenceRoutes } from '../features/invoices/differences/differences.routes.ts';
import { createInvoiceRoutes } from '../features/invoices/list/invoices.routes.ts';
import { createPaymentRoutes } from '../features/invoices/payments/payments.routes.ts';
import { applyOpenPayments } from '../features/invoices/payments/payments.service.ts';
import { createRunRoutes } from '../features/invoices/runs/runs.routes.ts';
import { createMessageRoutes } from '../features/messages/messages.routes.ts';
import { createNoteRoutes } from '../features/notes/notes.routes.ts';
import { createSetupCheck } from '../features/operations/setup-check.ts';
import { createSystemRoutes } from '../features/operations/system.routes.ts';
import { createOverviewRoutes } from '../features/overview/overview.routes.ts';
import { createPayoutHistoryRoutes } from '../features/payouts/history/payout-history.routes.ts';
import { createPayoutRoutes } from '../features/payouts/payouts.routes.ts';
import { createIdentityRoutes } from '../features/people/identity.routes.ts';
import { createPoolRequestRoutes } from '../features/pools/flows/requests.routes.ts';
import { createHarvestRoutes } from '../features/pools/harvest/harvest.routes.ts';
import { createPoolOwnerRoutes } from '../features/pools/harvest/owner/pool-owner.routes.ts';
import { createPoolRoutes } from '../features/pools/pools.routes.ts';
import { createArrivalRoutes } from '../features/pools/proxy/arrivals.routes.ts';
import { createProviderRoutes } from '../features/providers/providers.routes.ts';
import { createSearchRoutes } from '../features/search/search.routes.ts';
import { createSavedViewRoutes } from '../features/settings/saved-views/saved-views.routes.ts';
import { createPlatformSettingRoutes } from '../features/settings/settings.routes.ts';
import { createStatementRoutes } from '../features/statements/statements.routes.ts';
import { createTimelineRoutes } from '../features/timeline/timeline.routes.ts';
import { createTraderHistoryRoutes } from '../features/traders/history/trader-history.routes.ts';
import { createTraderRoutes } from '../features/traders/traders.routes.ts';
import { createOrderRoutes } from '../features/transfers/orders/orders.routes.ts';
import { createStopRoutes } from '../features/transfers/stops/stops.routes.ts';
import { createWalletRoutes } from '../features/transfers/wallets/wallets.routes.ts';
import { createBilling } from '../integrations/billing/create-billing.ts';
import type { Documents } from '../integrations/documents/gateway.ts';
import type { CountingGateway } from '../integrations/exchanges/create-gateway.ts';
import { createReadBot } from '../integrations/telegram/read-bot.ts';
import type { SecurityLog } from '../platform/audit/security-log/security-log.ts';
import type { Database } from '../platform/db/database.ts';
import type { ReadRows } from '../platform/db/lists/shared-reads.ts';
import type { TotalsCache } from '../platform/db/lists/totals-cache.ts';
import type { StreamOptions } from '../platform/db/stream.ts';
import type { ChangeFeed } from '../platform/http/events/change-feed.ts';
import type { Handlers } from '../platform/http/handlers.ts';
import type { Identity } from '../platform/identity/identity.ts';
import { originsOf } from '../platform/identity/origins.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { SealingBox } from '../platform/secrets/worker-box.ts';
import type { Mailer } from '../platform/work/mail/mailer.ts';
import { createMailCheck } from '../platform/work/mail/smtp.ts';
import { payoutSettings } from './chain-settings.ts';
import { attentionSources } from './lists/attention-sources.ts';
import { BULK_PARTS } from './lists/bulk-parts.ts';
import { EXPORTED_LISTS } from './lists/exported-lists.ts';
import { DAY_SOURCES, FIGURE_SOURCES } from './lists/figure-sources.ts';
import { SEARCH_SOURCES } from './lists/search-sources.ts';
import { TIMELINE_SOURCES } from './lists/timeline-sources.ts';
import { orderActs } from './order-acts.ts';
import { processUser } from './own-program.ts';
import { TRANSFER_PURPOSES } from './transfer-purposes.ts';

/** What a process of the API holds. */
export interface ProcessDeps {
  config: Config;
  db: Database;
  gateway: CountingGateway;
  keyring: Keyring;
  /** Seals the keys of pools. Null: no public key of workers is configured. */
  box: SealingBox | null;
  identity: Identity;
  /** Null: links are returned instead of e-mailed. */
  mailer: Mailer | null;
  /** Origin of the console, for links. */
  origin: string;
  log: Logger;
  now: () => Date;
}

interface FeatureDeps extends ProcessDeps {
  settings: LiveSettings;
  totals: TotalsCache;
  orders: TotalsCache;
  /** The ids that searches have found. */
  searches: TotalsCache;
  readRows: ReadRows;
  stream: StreamOptions;
  feed: ChangeFeed;
  documents: Documents;
  securityLog: SecurityLog;
  isLeaving: () => boolean;
}

/** The console waits 10 seconds for an answer of ours. */
const LONGEST_QUESTION_MS = 7_000;
const withinCall = ({ apiUrl, timeoutMs }: Config['telegram']) => ({
  apiUrl,
  timeoutMs: Math.min(timeoutMs, LONGEST_QUESTION_MS),
});

/** The token of invoices, as stored in the chain's tables. */
const tokenOf = ({ chain: { chainId, tokenAddress } }: Config) => ({
  chainId,
  tokenAddress: tokenAddress.toLowerCase(),
});

/** The routes of every feature. A call of the contract without a handler does not compile. */
export function createFeatureRoutes(deps: FeatureDeps): Handlers {
  const { config, settings, db, gateway, keyring, identity, mailer, origin, log, now } = deps;
  const payouts = payoutSettings(config, settings);
  const { totals, orders, searches, readRows, stream, feed, documents, securityLog, isLeaving } = deps;
  const links = createOwnerLinks(keyring, origin, 'pool');
  const readBot = createReadBot(withinCall(config.telegram));
  const setup = createSetupCheck({
    settings,
    setUp: {
      publicUrl: config.publicUrl ?? null,
      chainId: config.chain.chainId,
      apiRunsAs: processUser(),
      poolKeysRecipient: deps.box?.recipient ?? null,
      hasOwnSignIn: identity.kind === 'embedded',
    },
    checkMail: createMailCheck(config.smtpUrl),
    now,
  });
  const checkout = {
    db,
    billing: config.billing && createBilling(config.billing),
    origins: [origin, ...originsOf(config.publicUrl, config.port).trusted] as const,
    plans: () => settings.current().community_plans,
  };
  const weights = () => settings.current().platform_weights;
  return {
    ...createSystemRoutes({
      db,
      config,
      identity,
      feed,
      settings,
      isLeaving,
      setup,
    }),
    ...createAuditRoutes({ db, totals, stream, now }),
    ...createSecurityLogRoutes({ db, stream, now }),
    ...createTraderRoutes({ db, totals, searches, readRows, stream, now }),
    ...createTraderHistoryRoutes({ db, stream, now }),
    ...createExchangeRoutes({
      db,
      gateway,
      keyring,
      isPlatformSuperOnly: config.revealSuperOnly,
      alarm: createRevealAlarm({ db, mailer, log, securityLog }),
      now,
    }),
    ...createAccountRoutes({ db, totals, searches, readRows }),
    ...createInvoiceRoutes({ db, totals, orders, searches, readRows, stream, now }),
    ...createInvoiceActRoutes(db, { ...payouts, now }),
    ...createInvoiceDetailRoutes({ db, documents, now }),
    ...createDifferenceRoutes({ db }),
    ...createPaymentRoutes({ db, orderRules: { ...payouts, now }, chain: payouts }),
    ...createChainReadingRoutes({ db, token: tokenOf(config), isDemo: config.isDemo }),
    ...createRunRoutes({ db, totals, searches }),
    ...createMessageRoutes({ db, totals, searches, now }),
    ...createSavedViewRoutes({ db }),
    ...createExportRoutes({ db, lists: EXPORTED_LISTS, now }),
    ...createSearchRoutes({ db, sources: SEARCH_SOURCES }),
    ...createAttentionMailRoutes({ db, hasMailer: mailer !== null }),
    ...createTelegramRoutes({ db, now }),
    ...createAttentionRoutes({ db, sources: attentionSources(setup), rules: payouts.rules, now }),
    ...createNoteRoutes({ db }),
    ...createStatementRoutes({ db, stream, now }),
    ...createTimelineRoutes({ db, sources: TIMELINE_SOURCES }),
    ...createOverviewRoutes({ db, totals, sources: FIGURE_SOURCES, daySources: DAY_SOURCES }),
    ...createBulkRoutes({ db, parts: BULK_PARTS }),
    ...createPayoutHistoryRoutes({
      db,
      totals,
      searches,
      readRows,
      stream,
      now,
      rules: settings.rules,
    }),
    ...createPayoutRoutes({ ...payouts, db, totals, now }),
    ...createPlatformSettingRoutes({ db, totals, settings, rules: settings.rules, log, now }),
    ...createWalletRoutes({ db, purposes: TRANSFER_PURPOSES, settings }),
    ...createStopRoutes({ db, rules: settings.rules, now }),
    ...createProviderRoutes({ db, totals }),
    ...createCommunityRoutes({
      db,
      totals,
      token: tokenOf(config),
      settings,
      graceDays: config.billing && config.billingGraceDays,
      now,
    }),
    ...createBillingRoutes({ ...checkout, graceDays: config.billingGraceDays, now }),
    ...createPaymentLinkRoutes({ ...checkout, links: createOwnerLinks(keyring, origin, 'community') }),
    ...createExchangeBotRoutes({
      db,
      totals,
      keyring,
      readBot,
      weights,
      communityPercentage: () => settings.current().bot_community_percentage,
      applyOpenPayments,
      mark: (tx, id, how) => markInvoice(tx, { ...payouts, now }, id, how),
      orderRules: { ...payouts, now },
      requirePlan: createRequirePlan({
        db,
        isConfigured: config.billing !== null,
        graceDays: config.billingGraceDays,
        now,
      }),
      now,
    }),
    ...createPlatformBotRoutes({ db }),
    ...createCommunityFigureRoutes({ db }),
    ...createCommunityProviderRoutes({ db, now }),
    ...createPoolRoutes({ ...payouts, db, sealer: deps.box && { keyring, box: deps.box }, now }),
    ...createPoolRequestRoutes({ ...payouts, db, chain: payouts, now }),
    ...createOrderRoutes({ ...payouts, db, now, acts: orderActs(payouts, weights, now) }),
    ...createArrivalRoutes({ ...payouts, chain: payouts, db, now }),
    ...createPoolOwnerRoutes({ chain: payouts, db, links, log, now }),
    ...createHarvestRoutes({
      links,
      ...payouts,
      chain: payouts,
      db,
      log,
      now,
    }),
    ...createIdentityRoutes({ db, identity, mailer, origin, totals, isDemo: config.isDemo, log, now }),
  };
}
