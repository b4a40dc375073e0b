import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { webhookContract } from '@copydesk/contract';
import type { FastifyInstance } from 'fastify';
import { createLiveSettings } from '../core/settings/live-settings.ts';
import { measureOperations } from '../features/operations/measure-operations.ts';
import { createVerification } from '../features/people/set-up/demo-personas.ts';
import { isDemoWorld } from '../features/people/set-up/demo-world.views.ts';
import { clearLocked } from '../features/settings/locked-settings.service.ts';
import { createDocuments } from '../integrations/documents/create-documents.ts';
import { measureVenues } from '../integrations/exchanges/measure-venues.ts';
import { measureRefusals } from '../platform/audit/security-log/measure-refusals.ts';
import { refusalOf } from '../platform/audit/security-log/refusal.ts';
import { createSecurityLog } from '../platform/audit/security-log/security-log.ts';
import { createSignInRefusals } from '../platform/audit/security-log/sign-in-refusals.ts';
import { WHOLE_SCOPE } from '../platform/db/database.ts';
import { createReadRows } from '../platform/db/lists/shared-reads.ts';
import { createTotalsCache } from '../platform/db/lists/totals-cache.ts';
import { serveConsole } from '../platform/http/console-files.ts';
import { type ChangeFeed, createChangeFeed } from '../platform/http/events/change-feed.ts';
import { createGate } from '../platform/http/gate.ts';
import { createIdempotency } from '../platform/http/idempotency/idempotency.ts';
import { mountContract } from '../platform/http/mount-contract.ts';
import { openApi, serveOpenApi } from '../platform/http/openapi.ts';
import { createHttpServer } from '../platform/http/server/server.ts';
import { mountWebhooks } from '../platform/http/webhooks/mount-webhooks.ts';
import { identityRequests } from '../platform/identity/fastify-bridge.ts';
import { foreignOriginsOf } from '../platform/identity/hosted/foreign-origins.ts';
import { createMetrics, measureReplicas, measureRequests } from '../platform/observe/metrics.ts';
import { createFeatureRoutes, type ProcessDeps } from './feature-routes.ts';
import { createWebhooks } from './webhooks.ts';

const CONSOLE_FILES = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
/** Maximum age of cached counts, even without changes. */
const TOTALS_MAX_AGE_MS = 30_000;
const SETTINGS_MAX_AGE_MS = 5_000;

interface AppDeps extends ProcessDeps {
  /** For listening and long streams: see DATABASE_DIRECT_URL. */
  directUrl: string;
  filtersScope?: boolean;
}

/** Creates the API: every feature's routes, on one server. It does not listen yet. */
export async function createApp(deps: AppDeps) {
  const { config, directUrl, db, identity, log, now, filtersScope = true } = deps;
  const stream = { url: directUrl, filtersScope, replicas: db.replicas };
  const kept = { now: () => performance.timeOrigin + performance.now(), maxAgeMs: TOTALS_MAX_AGE_MS };
  const totals = createTotalsCache(kept);
  // 16 bytes per group: 1.6 MB for 100,000 groups.
  const orders = createTotalsCache({ ...kept, maxEntries: 8 });
  // 2,000 ids per search at most: 4 MB.
  const searches = createTotalsCache({ ...kept, maxEntries: 50 });
  const readRows = createReadRows();
  const onChange = () => {
    totals.touch();
    orders.touch();
    searches.touch();
  };
  const onWritten = () => {
    totals.touchHere();
    orders.touchHere();
    searches.touchHere();
  };
  const feed: ChangeFeed = createChangeFeed({ url: directUrl, db, log, onChange });
  const documents = createDocuments();
  const metrics = createMetrics(db.pool);
  const securityLog = createSecurityLog({ db, log, now });
  const settings = createLiveSettings({ db, base: config.settings });
  await clearLocked({ db, base: config.settings, log, now, mayLoosen: false });

  let isLeaving = false;
  const handlers = createFeatureRoutes({
    ...deps,
    settings,
    totals,
    orders,
    searches,
    readRows,
    stream,
    feed,
    documents,
    securityLog,
    isLeaving: () => isLeaving,
  });
  const app: FastifyInstance = await createHttpServer({
    log,
    trustedProxies: config.trustedProxies,
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
    ...(config.hosted ? { foreign: foreignOriginsOf(config.hosted) } : {}),
    endStreams: feed.close,
    isLeaving: () => isLeaving,
    onRefusal: (error, request) => {
      const refusal = refusalOf(error, request);
      if (refusal) securityLog.note(refusal);
    },
  });
  app.addHook('onClose', securityLog.close);
  app.addHook('onClose', documents.close);
  measureRequests(app, metrics);
  measureReplicas(db.replicas, metrics);
  measureOperations(metrics, { db, log });
  measureRefusals(securityLog, metrics);
  measureVenues(metrics, deps.gateway);

  // An act obeys the settings that hold when it begins; a screen may be some seconds behind.
  app.addHook('preHandler', async ({ method, principal }) => {
    if (principal) await settings.refresh(method === 'GET' ? SETTINGS_MAX_AGE_MS : 0);
  });
  await app.register(openApi);
  mountContract(app, handlers, {
    gate: createGate(app, {
      identity,
      perMinute: config.rateLimitPerMinute,
      isVerified: createVerification({ isDemo: config.isDemo && (await db.read(WHOLE_SCOPE, isDemoWorld)) }),
    }),
    idempotency: createIdempotency({ db, now }),
    onWritten,
    position: feed.position,
    hasReplicas: db.replicas !== null,
    without: config.isDemo ? [] : ['POST /api/demo/sign-in'],
  });
  await mountWebhooks(app, webhookContract, { ...(await createWebhooks({ config, db, now })), now });
  if (identity.kind === 'embedded')
    await app.register(identityRequests, { identity, onRefused: createSignInRefusals(securityLog) });
  await serveOpenApi(app);
  await serveConsole(app, CONSOLE_FILES);
  return {
    app,
    metrics,
    securityLog,
    /**
     * Reports that the server will stop for `drainMs`, so that other processes get the requests, and then
     * stops it.
     */
    async close(drainMs: number): Promise<void> {
      isLeaving = true;
      if (drainMs > 0) {
        // Consoles connect again at once, and reach another process.
        await feed.close();
        await sleep(drainMs);
      }
      await app.close();
    },
  };
}
