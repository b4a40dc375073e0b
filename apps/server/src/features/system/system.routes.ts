import { checkSetup } from '@copydesk/domain';
import type { LiveSettings } from '../../core/settings/live-settings.ts';
import { findRoleProblem } from '../../platform/db/application-role.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { readMigrations } from '../../platform/db/migrate.ts';
import { createStatements } from '../../platform/db/statements.ts';
import { ApiError } from '../../platform/http/api-error.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { VERSION } from '../../platform/process/version.ts';
import { type EventStreamDeps, streamChanges } from './event-stream.ts';
import { readReadiness } from './readiness.views.ts';
import { readSetupFacts, type SetUpOutside } from './setup-facts.views.ts';
import { createStreamSeats } from './stream-seats.ts';

type SystemRoutes = Pick<
  Handlers,
  'GET /api/health' | 'GET /api/ready' | 'GET /api/config' | 'GET /api/events' | 'GET /api/setup-checklist'
>;

interface SystemDeps extends Omit<EventStreamDeps, 'seats'> {
  db: Database;
  settings: Pick<LiveSettings, 'current' | 'refresh'>;
  /** What the configuration says of the set-up. */
  setUp: Omit<SetUpOutside, 'settings' | 'mail' | 'hasOwnSignIn'>;
  /** Whether the mail server takes mail now. */
  checkMail: () => Promise<SetUpOutside['mail']>;
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
  };
}

const NO_WORKER =
  'No worker has reported in the last minute. Accounts are not read, and nothing is invoiced, sent or paid out. Start a worker.';
const AUDIT_BROKEN =
  'The audit chain does not continue from its last recorded head. Entries may have been removed or replaced. Check the log of the worker.';

const PLANS_MAX_AGE_MS = 60_000;

export function createSystemRoutes(deps: SystemDeps): SystemRoutes {
  const { db, config, identity, settings, isLeaving, setUp, checkMail } = deps;
  const requireStay = () => {
    if (isLeaving()) throw new ApiError('unavailable', { message: 'This process is about to stop' });
  };
  const statements = createStatements(db.pool);
  const stream = { ...deps, seats: createStreamSeats() };
  return {
    'GET /api/health': async () => ({ success: true, status: 'alive', version: VERSION }),

    'GET /api/ready': async ({ query }) => {
      requireStay();
      const roleProblem = await findRoleProblem(statements);
      if (roleProblem !== null) throw new ApiError('unavailable', { message: roleProblem });
      const [found, wanted] = await Promise.all([db.read(WHOLE_SCOPE, readReadiness), readMigrations()]);
      if (wanted.some(({ name }) => !found.migrations.includes(name)))
        throw new ApiError('unavailable', { message: 'The database is not migrated to this version' });
      const { workers, are_all_silent: areAllSilent } = found;
      if (areAllSilent && query.workers === 'required')
        throw new ApiError('unavailable', { message: NO_WORKER });
      const audit = workers === 0 ? 'unchecked' : found.is_audit_broken ? 'broken' : 'intact';
      const problems = [...(areAllSilent ? [NO_WORKER] : []), ...(audit === 'broken' ? [AUDIT_BROKEN] : [])];
      const status = problems.length === 0 ? 'ready' : 'degraded';
      return { success: true, data: { status, database: true, migrations: true, workers, audit, problems } };
    },

    'GET /api/setup-checklist': async ({ scope }) => {
      const mail = await checkMail();
      const hasOwnSignIn = identity.kind === 'embedded';
      const facts = await db.read(scope, (tx) =>
        readSetupFacts(tx, { ...setUp, mail, hasOwnSignIn, settings: settings.current() }),
      );
      return { success: true, data: checkSetup(facts) };
    },

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
      requireStay();
      return streamChanges(stream, scope, http, reply);
    },
  };
}
