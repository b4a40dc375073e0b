import { createHash, timingSafeEqual } from 'node:crypto';
import type { Durability } from '@copydesk/domain/payouts';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Handlers, HttpRequest } from '../../platform/http/handlers.ts';
import { isFromThisMachine } from '../../platform/http/loopback.ts';
import type { Identity } from '../../platform/identity/identity.ts';
import { VERSION } from '../../platform/process/version.ts';
import { Refusal } from '../../platform/refusal.ts';
import { answerHead, type EventStreamDeps, streamChanges } from './event-stream.ts';
import { createReadiness } from './readiness.ts';
import type { SetupCheck } from './setup-check.ts';
import { createStreamSeats } from './stream-seats.ts';

type SystemRoutes = Pick<
  Handlers,
  'GET /api/health' | 'GET /api/ready' | 'GET /api/config' | 'GET /api/events' | 'GET /api/setup-checklist'
>;

interface SystemDeps extends Omit<EventStreamDeps, 'seats'> {
  db: Database;
  settings: Pick<LiveSettings, 'current' | 'refresh'>;
  setup: SetupCheck;
  /** Whether this process is about to stop. */
  isLeaving: () => boolean;
  config: {
    isDemo: boolean;
    /** The target for signed-in people without the admin flag. */
    externalUrl: string;
    /** Block explorer, without a trailing slash. */
    explorerUrl: string;
    /** Only super admins may see the secrets of exchange accounts. */
    revealSuperOnly: boolean;
    /** With it, monitoring reads the details of readiness. */
    metricsToken: string | null;
    durability: Durability;
  };
}

const PLANS_MAX_AGE_MS = 60_000;

export function createSystemRoutes(deps: SystemDeps): SystemRoutes {
  const { db, config, identity, settings, isLeaving, setup } = deps;
  const checkReadiness = createReadiness({ db, durability: config.durability, isLeaving });
  const readsDetails = createReadinessReaders({ identity, metricsToken: config.metricsToken });
  const stream = { ...deps, seats: createStreamSeats() };
  return {
    'GET /api/health': async () => ({ success: true, status: 'alive', version: VERSION }),

    'GET /api/ready': async ({ http }) => {
      const [verdict, mayReadDetails] = await Promise.all([checkReadiness(), readsDetails(http)]);
      if (verdict.refusal !== null)
        throw new Refusal('unavailable', mayReadDetails ? { message: verdict.refusal } : {});
      return { success: true, ...(mayReadDetails && { data: verdict.details }) };
    },

    'GET /api/setup-checklist': async ({ scope }) => ({
      success: true,
      data: await setup.checkNow((work) => db.read(scope, work)),
    }),

    'GET /api/config': async () => {
      // Prices that are a minute old are better than a console that does not start.
      await settings.refresh(PLANS_MAX_AGE_MS).catch(() => {});
      const data = {
        version: VERSION,
        identity: identity.kind,
        hosted:
          identity.kind === 'hosted'
            ? {
                publishable_key: identity.browser.publishableKey,
                proxy_url: identity.browser.proxyUrl,
              }
            : null,
        demo: config.isDemo && identity.kind === 'embedded',
        setup_required: identity.kind === 'embedded' && !config.isDemo && (await identity.isSetupOpen()),
        external_url: config.externalUrl,
        explorer_url: config.explorerUrl,
        reveal_super_only: config.revealSuperOnly,
        plans: settings.current().community_plans,
      };
      return { success: true, data };
    },

    'GET /api/events': async ({ scope, http, reply }) => {
      if (http.method === 'HEAD') return answerHead(reply);
      if (isLeaving()) throw new Refusal('unavailable', { message: 'This process is about to stop' });
      return streamChanges(stream, scope, http, reply);
    },
  };
}

interface ReadersDeps {
  identity: Pick<Identity, 'authenticate'>;
  /** Null: monitoring has none. */
  metricsToken: string | null;
}

/**
 * Decides who reads the details of readiness: this machine, monitoring with its token, and super admins. Every other
 * caller, a balancer or a stranger, learns the status alone.
 */
function createReadinessReaders({ identity, metricsToken }: ReadersDeps) {
  return async (request: HttpRequest): Promise<boolean> => {
    if (isFromThisMachine(request)) return true;
    const { authorization } = request.headers;
    if (authorization === undefined) return false;
    if (metricsToken !== null && isSame(authorization, `Bearer ${metricsToken}`)) return true;
    // Without a database no caller can be identified, and the answer must not wait for it.
    const result = await identity.authenticate(authorization).catch(() => null);
    return result?.ok === true && result.principal.kind === 'user' && result.principal.flags.super;
  };
}

/** In constant time. The hashes have one length, whatever was sent. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
