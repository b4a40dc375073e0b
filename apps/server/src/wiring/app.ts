import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { createChainReadingRoutes } from '../features/chain-watch/chain-reading.routes.ts';
import { createCommunityRoutes } from '../features/communities/communities.routes.ts';
import { createCommunityFigureRoutes } from '../features/communities/figures/community-figures.routes.ts';
import { createExchangeRoutes } from '../features/exchanges/exchanges.routes.ts';
import { createInvoiceActRoutes } from '../features/invoices/acts/invoice-acts.routes.ts';
import { createInvoiceDetailRoutes } from '../features/invoices/detail/invoice-detail.routes.ts';
import { createInvoiceRoutes } from '../features/invoices/list/invoices.routes.ts';
import { createPaymentRoutes } from '../features/invoices/payments/payments.routes.ts';
import { createRunRoutes } from '../features/invoices/runs/runs.routes.ts';
import { createMessageRoutes } from '../features/messages/messages.routes.ts';
import { createPayoutHistoryRoutes } from '../features/payouts/history/payout-history.routes.ts';
import { createPayoutRoutes } from '../features/payouts/payouts.routes.ts';
import { PAYOUT_PURPOSES } from '../features/payouts/transfers/payout-purposes.ts';
import { createDirectoryRoutes } from '../features/providers/directory.routes.ts';
import { createSavedViewRoutes } from '../features/saved-views/saved-views.routes.ts';
import { createSystemRoutes } from '../features/system/system.routes.ts';
import { createTraderHistoryRoutes } from '../features/trader-history/trader-history.routes.ts';
import { createTraderRoutes } from '../features/traders/traders.routes.ts';
import { createWalletRoutes } from '../features/transfers/wallets/wallets.routes.ts';
import type { ExchangeGateway } from '../integrations/exchanges/gateway.ts';
import { createTotalsCache } from '../platform/cache/totals-cache.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import { createReadRows } from '../platform/db/long-lists.ts';
import { type ChangeFeed, createChangeFeed } from '../platform/events/change-feed.ts';
import { serveConsole } from '../platform/http/console-files.ts';
import { createGate } from '../platform/http/gate.ts';
import type { Handlers } from '../platform/http/handlers.ts';
import { createIdempotency } from '../platform/http/idempotency.ts';
import { mountContract } from '../platform/http/mount-contract.ts';
import { openApi, serveOpenApi } from '../platform/http/openapi.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { identityRequests } from '../platform/identity/fastify-bridge.ts';
import type { Identity } from '../platform/identity/identity.ts';
import type { Logger } from '../platform/log/log.ts';
import { createMetrics, measureRequests } from '../platform/metrics/metrics.ts';
import { payoutSettings } from './payout-settings.ts';

const CONSOLE_FILES = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
/** Maximum age of cached counts, even without changes. */
const TOTALS_MAX_AGE_MS = 30_000;

export interface AppDeps {
  config: Config;
  /** For listening and long streams: see DATABASE_DIRECT_URL. */
  directUrl: string;
  db: Database;
  gateway: ExchangeGateway;
  keyring: Keyring;
  identity: Identity;
  identityRoutes: Pick<Handlers, Exclude<keyof Handlers, OtherCalls>>;
  log: Logger;
  now: () => Date;
  filtersScope?: boolean;
}

type OtherCalls =
  | keyof ReturnType<typeof createSystemRoutes>
  | keyof ReturnType<typeof createTraderRoutes>
  | keyof ReturnType<typeof createTraderHistoryRoutes>
  | keyof ReturnType<typeof createExchangeRoutes>
  | keyof ReturnType<typeof createInvoiceRoutes>
  | keyof ReturnType<typeof createInvoiceActRoutes>
  | keyof ReturnType<typeof createInvoiceDetailRoutes>
  | keyof ReturnType<typeof createPaymentRoutes>
  | keyof ReturnType<typeof createChainReadingRoutes>
  | keyof ReturnType<typeof createRunRoutes>
  | keyof ReturnType<typeof createMessageRoutes>
  | keyof ReturnType<typeof createSavedViewRoutes>
  | keyof ReturnType<typeof createPayoutHistoryRoutes>
  | keyof ReturnType<typeof createPayoutRoutes>
  | keyof ReturnType<typeof createWalletRoutes>
  | keyof ReturnType<typeof createDirectoryRoutes>
  | keyof ReturnType<typeof createCommunityRoutes>
  | keyof ReturnType<typeof createCommunityFigureRoutes>;

/** The token of invoices, as stored in the chain's tables. */
const tokenOf = ({ chain: { chainId, tokenAddress } }: Config) => ({
  chainId,
  tokenAddress: tokenAddress.toLowerCase(),
});

/** Creates the API: every feature's routes, on one server. It does not listen yet. */
export async function createApp(deps: AppDeps) {
  const { config, directUrl, db, gateway, keyring, identity, log, now, filtersScope = true } = deps;
  const stream = { url: directUrl, filtersScope };
  const kept = { now: () => performance.timeOrigin + performance.now(), maxAgeMs: TOTALS_MAX_AGE_MS };
  const totals = createTotalsCache(kept);
  // 16 bytes per group: 1.6 MB for 100,000 groups.
  const orders = createTotalsCache({ ...kept, maxEntries: 8 });
  const readRows = createReadRows();
  const onChange = () => {
    totals.touch();
    orders.touch();
  };
  const feed: ChangeFeed = createChangeFeed({ url: directUrl, db, log, onChange });
  const metrics = createMetrics(db.pool);

  const handlers: Handlers = {
    ...createSystemRoutes({ db, config, identity, feed }),
    ...createTraderRoutes({ db, totals, readRows, stream, now }),
    ...createTraderHistoryRoutes({ db, stream, now }),
    ...createExchangeRoutes({ db, gateway, keyring, isPlatformSuperOnly: config.revealSuperOnly, now }),
    ...createInvoiceRoutes({ db, totals, orders, readRows, stream, now }),
    ...createInvoiceActRoutes(),
    ...createInvoiceDetailRoutes({ db }),
    ...createPaymentRoutes({ db }),
    ...createChainReadingRoutes({ db, token: tokenOf(config) }),
    ...createRunRoutes({ db }),
    ...createMessageRoutes({ db, totals, now }),
    ...createSavedViewRoutes({ db }),
    ...createPayoutHistoryRoutes({
      db,
      totals,
      readRows,
      stream,
      now,
      addressHoldHours: config.payouts.addressHoldHours,
    }),
    ...createPayoutRoutes({ ...payoutSettings(config), db, now }),
    ...createWalletRoutes({ db, purposes: PAYOUT_PURPOSES }),
    ...createDirectoryRoutes({ db }),
    ...createCommunityRoutes({ db, totals, token: tokenOf(config) }),
    ...createCommunityFigureRoutes({ db }),
    ...deps.identityRoutes,
  };

  const app: FastifyInstance = await createHttpServer({
    log,
    trustedProxies: config.trustedProxies,
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
    endStreams: feed.close,
  });
  measureRequests(app, metrics);

  await app.register(openApi);
  mountContract(app, handlers, {
    gate: createGate(app, { identity, perMinute: config.rateLimitPerMinute }),
    idempotency: createIdempotency({ db, now }),
  });
  await app.register(identityRequests, { identity });
  await serveOpenApi(app);
  await serveConsole(app, CONSOLE_FILES);
  return { app, metrics };
}
