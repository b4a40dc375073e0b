import type { Persona } from '@copydesk/contract/people';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { inject } from 'vitest';
import { readConfig } from '../../apps/server/src/config.ts';
import { seedDemoWorld } from '../../apps/server/src/demo/seed.ts';
import { ensureDemoPersonas } from '../../apps/server/src/features/people/set-up/demo-personas.ts';
import {
  type CountingGateway,
  createExchangeGateway,
} from '../../apps/server/src/integrations/exchanges/create-gateway.ts';
import {
  APPLICATION_ROLE,
  type ApplicationRole,
  createPool,
  OPERATOR_ROLE,
  WORKER_ROLE,
} from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type Database } from '../../apps/server/src/platform/db/database.ts';
import { LOG_POSITION_HEADER } from '../../apps/server/src/platform/db/position.ts';
import { createReplicas } from '../../apps/server/src/platform/db/replicas/replicas.ts';
import type { Identity } from '../../apps/server/src/platform/identity/identity.ts';
import { createLogTo } from '../../apps/server/src/platform/observe/log.ts';
import { createMailer } from '../../apps/server/src/platform/work/mail/mailer.ts';
import type { SendMail } from '../../apps/server/src/platform/work/mail/smtp.ts';
import { createApp } from '../../apps/server/src/wiring/app.ts';
import { connectHosted } from '../../apps/server/src/wiring/connect-hosted.ts';
import { interactiveSettings } from '../../apps/server/src/wiring/exchange-settings.ts';
import { answerCallsAboutPools } from './answer-calls.ts';
import { createFilledDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { createEmbedded, createHosted } from './identity/services.ts';
import { asOwner } from './owner.ts';
import { AUDIT_KEY, AUDIT_KEY_TEXT, BOX, KEYRING } from './test-keys.ts';
import { UNREACHABLE_EXCHANGES } from './unreachable-exchanges.ts';

export { AUDIT_KEY, AUDIT_KEY_TEXT, KEYRING };

export interface TestAppOptions {
  /** Traders of the demo world in multiples of 600; null loads nothing. */
  scale?: number | null;
  /** An earlier app's database, as after a restart with other variables. That app drops it. */
  sharing?: { ownerUrl: string };
  /** False disables the application's own scope filter, so that only row-level security filters. */
  filtersScope?: boolean;
  /** Another route to the same database, which a test can cut. */
  viaProxy?: (ownerUrl: string) => Promise<string>;
  /** Another route for requests only; listening and long streams go directly. */
  viaPooler?: (ownerUrl: string) => Promise<string>;
  hasUnnamedStatements?: boolean;
  /** Addresses of standbys of the same database, which the API reads lists on. */
  readUrls?: readonly string[];
  /** After this time the database cancels a statement of the application. */
  statementTimeoutMs?: number;
  env?: Record<string, string>;
  /** Hands mails over; without it none are sent. */
  sendMail?: SendMail;
  /** The hour of the demo world. */
  seededAt?: Date;
  /** The clock of the features. Sessions and the database keep their own. */
  clock?: () => Date;
  /** The API's clock for the exchanges. */
  exchangeClock?: () => number;
  /** Bybit's regional platforms, by their names. */
  bybitRegions?: Record<string, string>;
}

/** The whole API over a database of its own, with the demo world and its personas. */
export async function createTestApp(options: TestAppOptions = {}) {
  const { scale = 0.1, filtersScope = true, viaProxy, viaPooler, env = {}, seededAt } = options;
  const { statementTimeoutMs, hasUnnamedStatements = false } = options;
  const exchangeClock = options.exchangeClock ?? Date.now;
  const database: Pick<TestDatabase, 'ownerUrl' | 'drop'> = options.sharing
    ? { ...options.sharing, drop: async () => {} }
    : await createWorld(scale, seededAt);
  const directUrl = viaProxy ? await viaProxy(database.ownerUrl) : database.ownerUrl;
  const url = viaPooler ? await viaPooler(directUrl) : directUrl;
  const readUrls = options.readUrls ?? replicaUrlsOf(database.ownerUrl);
  const logged: string[] = [];
  const log = createLogTo({ write: (line) => void logged.push(line) }, 'info', 'test');
  const config = readConfig({
    COPYDESK_DEMO: '1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    EXCHANGE_API_SHARE: '1',
    DATABASE_DURABILITY: 'single',
    ...UNREACHABLE_EXCHANGES,
    ...env,
  });
  const open = (role: ApplicationRole) => {
    // Patience: on a busy machine a connection takes longer than people would wait for it.
    const pool = createPool({
      url,
      role,
      hasUnnamedStatements,
      applicationName: 'test',
      connectionTimeoutMs: 10_000,
    });
    const urls = role === APPLICATION_ROLE ? readUrls : [];
    const replicas =
      urls.length > 0 ? createReplicas({ urls, leader: pool, now: () => performance.now() }) : null;
    return createDatabase({
      pool,
      replicas,
      ...{ auditKey: AUDIT_KEY, now, filtersScope, statementTimeoutMs },
    });
  };
  const db = open(APPLICATION_ROLE);
  await db.replicas?.look();
  db.replicas?.start();
  const workerDb = open(WORKER_ROLE);
  const operatorDb = open(OPERATOR_ROLE);
  const clock = options.clock ?? now;
  const identityOptions = { databaseUrl: url, directUrl, hasUnnamedStatements, log };
  const identity: Identity = config.hosted
    ? await createHosted(
        { ...identityOptions, now: clock },
        await connectHosted({ settings: config.hosted, db, log, now: clock }),
      )
    : await createEmbedded(identityOptions);
  const venues = interactiveSettings(config);
  const bybit = { ...venues.bybit, ...(options.bybitRegions && { regionUrls: options.bybitRegions }) };
  const openGateway = () => createExchangeGateway({ ...venues, bybit }, { now: exchangeClock });
  let gateway = openGateway();
  const resetExchanges = async () => {
    await gateway.close();
    gateway = openGateway();
  };
  const { app, metrics, securityLog } = await createApp({
    config,
    directUrl,
    db,
    gateway: new Proxy({} as CountingGateway, { get: (_, name) => Reflect.get(gateway, name) }),
    keyring: KEYRING,
    box: BOX,
    identity,
    mailer: createMailer({ db, keyring: KEYRING, send: options.sendMail ?? null, log, now: clock }),
    origin: 'http://localhost:3000',
    log,
    now: clock,
    filtersScope,
  });
  if (options.readUrls === undefined && db.replicas) requireAllSoFar(app, db);
  await app.ready();
  const workers = answerCallsAboutPools({
    ownerUrl: database.ownerUrl,
    db: workerDb,
    venue: () => gateway.pools,
    log,
    now: clock,
  });

  return {
    app,
    metrics,
    securityLog,
    /** What workers of this world work with. */
    db: workerDb,
    /** What its API works with. */
    apiDb: db,
    /** What the commands of an operator work with. */
    operatorDb,
    identity,
    config,
    log,
    logged,
    /** The worker that answers its calls about pools. */
    workers,
    /** The state of a fresh process: nothing cached, no exchange given up. */
    resetExchanges,
    ownerUrl: database.ownerUrl,
    async signIn(persona: Persona): Promise<string> {
      const answer = await app.inject({ method: 'POST', url: '/api/demo/sign-in', payload: { persona } });
      if (answer.statusCode !== 200) throw new Error(`signing in as ${persona}: ${answer.body}`);
      return `Bearer ${answer.json<{ token: string }>().token}`;
    },
    async close() {
      await app.close();
      await workers.close();
      await Promise.all([
        gateway.close(),
        identity.close(),
        db.close(),
        workerDb.close(),
        operatorDb.close(),
      ]);
      await database.drop();
    },
  };
}

const now = () => new Date();

/** With `TEST_READ_REPLICA=1` in the run's environment. */
function replicaUrlsOf(ownerUrl: string): string[] {
  const port = inject('replicaPort');
  if (port === null) return [];
  const url = new URL(ownerUrl);
  url.port = port;
  return [url.href];
}

/** Every request needs all that was written before it, whoever wrote it: tests also write beside the API. */
function requireAllSoFar(app: FastifyInstance, db: Database): void {
  app.addHook('onRequest', async (request) => {
    const { rows } = await db.pool.query<{ position: string }>(
      'SELECT pg_current_wal_insert_lsn()::text AS position',
    );
    request.headers[LOG_POSITION_HEADER] ??= rows[0]?.position;
  });
}

/** Worlds without a fixed hour are created once for all test files of a run. */
async function createWorld(scale: number | null, seededAt: Date | undefined): Promise<TestDatabase> {
  if (scale === null) {
    const empty = await createTestDatabase();
    await asOwner(empty.ownerUrl, 'INSERT INTO demo_world (seeded_at, traders) VALUES (now(), 0)');
    return empty;
  }
  const fill = (ownerUrl: string) => fillDemoWorld(ownerUrl, scale, seededAt);
  if (!seededAt) return createFilledDatabase(`world_${Math.round(scale * 1_000)}`, fill);
  const database = await createTestDatabase();
  await fill(database.ownerUrl);
  return database;
}

/** Fills a migrated, empty database with the demo world and its personas. */
export async function fillDemoWorld(ownerUrl: string, scale: number, seededAt?: Date): Promise<void> {
  await seedDemoWorld(ownerUrl, { scale, keyring: KEYRING, box: BOX, now: seededAt });
  const db = createDatabase({
    pool: createPool({ url: ownerUrl, role: APPLICATION_ROLE, applicationName: 'test-seed' }),
    auditKey: AUDIT_KEY,
    now,
  });
  const identity = await createEmbedded({ databaseUrl: ownerUrl, log: pino({ level: 'silent' }) });
  await ensureDemoPersonas({ db, identity, now });
  await Promise.all([identity.close(), db.close()]);
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;
