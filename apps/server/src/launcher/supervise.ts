import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkerAuditKey } from '../platform/audit/audit-key.ts';
import { createBoxFiles } from '../platform/crypto/worker-box.ts';
import { findLoginProblem, findRoleProblem } from '../platform/db/application-role.ts';
import { APPLICATION_ROLE, createPool } from '../platform/db/connection.ts';
import { requireDatabase } from '../platform/db/database-url.ts';
import { createStatements } from '../platform/db/statements.ts';
import { StartError } from '../platform/process/start-error.ts';
import { makeLogins } from './application-login.ts';
import { childEnvironment } from './child-environment.ts';
import { type DataFolders, resolveDataFolders } from './data-folders.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { keepRunning } from './keep-running.ts';
import { requirePort } from './listening-port.ts';
import { makeFolder } from './make-folder.ts';
import { watchParent } from './parent-watch.ts';
import { nameAside } from './set-data-aside.ts';
import { runUntilStopped, type Shutdown } from './shutdown.ts';
import { readLock, takeLock } from './start-lock.ts';
import { waitForHealth } from './wait-for-health.ts';

export interface SupervisorSettings {
  projectDir: string;
  host: string;
  port: number;
  publicUrl?: string;
  /** Unset: the embedded database and the demo world. */
  databaseUrl?: string;
  databaseOwnerUrl?: string;
  dataDir?: string;
  /** Each child gets only the variables that it reads. */
  env: NodeJS.ProcessEnv;
}

/** A script of ours that the supervisor keeps running. */
export interface Program {
  script: string;
  /** The environment variables that it receives. */
  variables: readonly string[];
  /** Whether the product is useless without it: a start that never brings it up fails. */
  isEssential?: boolean;
}

export interface SupervisorParts {
  migrate(ownerUrl: string): Promise<unknown>;
  /** Whether no migration leads from this database's schema to that of this version. */
  isOfRewrittenSchema(ownerUrl: string): Promise<boolean>;
  demo: {
    seed(options: {
      ownerUrl: string;
      dataDir: string;
      report: (line: string) => void;
    }): Promise<{ seeded: boolean }>;
    /** First steps in a demo world that was just seeded, once the API answers. */
    begin(origin: string, signal: AbortSignal): Promise<void>;
    /** The demo world's settings for every child, and whether its exchanges are simulated. */
    findExchanges(ownerUrl: string): Promise<{ settings: Record<string, string>; areSimulated: boolean }>;
    children: Record<string, Program>;
  };
  /** The programs to keep running, by their displayed name. */
  children: Record<string, Program>;
  report: (line: string) => void;
}

const HEALTH_TIMEOUT_MS = 60_000;
/** Children of a killed supervisor finish their requests before they release the port. */
const STALE_PORT_PATIENCE_MS = 5000;

/** Runs the whole product until it is asked to stop, and returns the exit code. */
export async function supervise(settings: SupervisorSettings, parts: SupervisorParts): Promise<number> {
  const { report } = parts;
  const reportFailure = (error: unknown) => {
    const isForPeople = error instanceof StartError || error instanceof EmbeddedPostgresError;
    report(isForPeople ? `\n${error.message}\n` : `\n${error instanceof Error ? error.stack : error}\n`);
  };
  return runUntilStopped(async (shutdown) => {
    // A connection may break outside any of our calls, as when the database stops during a migration.
    process.on('uncaughtException', (error) => {
      if (!shutdown.signal.aborted) reportFailure(error);
      shutdown.request(1);
    });
    const stop = () => {
      if (!shutdown.signal.aborted) report('Stopping ...');
      shutdown.request(0);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    if (settings.env.npm_lifecycle_event !== undefined) watchParent(stop);
    await start(settings, parts, shutdown);
  }, reportFailure);
}

async function start(
  settings: SupervisorSettings,
  parts: SupervisorParts,
  shutdown: Shutdown,
): Promise<void> {
  const { host, databaseUrl, databaseOwnerUrl = databaseUrl } = settings;
  const isDemo = databaseUrl === undefined;
  const folders = isDemo
    ? resolveDataFolders(settings.projectDir, settings.dataDir)
    : {
        dataDir: settings.dataDir ?? join(settings.projectDir, '.data'),
        cacheDir: join(settings.projectDir, '.cache'),
      };

  const lock = isDemo ? await readLock(folders.dataDir) : ({ state: 'free' } as const);
  if (lock.state === 'held') {
    parts.report(`\nCopydesk already runs on this data folder (process ${lock.pid}): ${lock.url}\n`);
    shutdown.request(0);
    return;
  }
  // Before anything slow, and before anything is written.
  const port = await requirePort(settings.port, host, {
    patienceMs: lock.state === 'stale' ? STALE_PORT_PATIENCE_MS : 0,
  });
  const origin = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const url = settings.publicUrl ?? origin;

  let connection: Record<string, string>;
  let programs = parts.children;
  let isNewWorld = false;
  if (isDemo) {
    const { postgres, isNew } = await startDemoDatabase(folders, url, parts, shutdown);
    connection = {
      ...(await makeLogins(postgres.ownerUrl)),
      COPYDESK_DEMO: '1',
    };
    const { settings, areSimulated } = await parts.demo.findExchanges(postgres.ownerUrl);
    connection = { ...connection, ...settings };
    isNewWorld = isNew && areSimulated;
    if (areSimulated) programs = { ...parts.demo.children, ...programs };
    else
      parts.report(
        'This demo world is older than the simulated exchanges and cannot be read. "npm run reset" begins a new one.',
      );
  } else {
    connection = await prepareGivenDatabase(databaseUrl, databaseOwnerUrl ?? databaseUrl, parts);
    if (settings.env.WALLET_SEED)
      parts.report(
        'API and worker run as one user, who has the seed of the wallets. For production, run them apart (docs/operations/set-up.md).',
      );
  }
  if (!settings.env.AUDIT_WORKER_KEY) await createWorkerAuditKey(folders.dataDir);
  if (!settings.env.POOL_KEYS_RECIPIENT && !settings.env.POOL_KEYS_IDENTITY)
    await createBoxFiles(folders.dataDir);
  shutdown.signal.throwIfAborted();

  const env = {
    // Caches compiled modules: the API loads in half the processor time, and uses 18 MB less without the compiler.
    NODE_COMPILE_CACHE: join(folders.cacheDir, 'compiled-modules'),
    // In the demo world people read this terminal: one line per request would scroll the address away.
    ...(isDemo ? { LOG_LEVEL: 'warn' } : {}),
    ...settings.env,
    ...connection,
    PORT: String(port),
    HOST: host,
    COPYDESK_DATA_DIR: folders.dataDir,
  };
  let isUp = false;
  const children = Object.entries(programs).map(([name, { script, variables, isEssential = false }]) =>
    keepRunning({
      name,
      script,
      env: childEnvironment(env, variables),
      report: parts.report,
      givesUp: () => {
        const isUseless = isEssential && !isUp;
        if (isUseless) shutdown.request(1);
        return isUseless;
      },
    }),
  );
  shutdown.onStop(async () => {
    await Promise.all(children.map((child) => child.stop()));
  });
  if (await waitForHealth(origin, HEALTH_TIMEOUT_MS, shutdown.signal)) {
    isUp = true;
    parts.report(announcement(url, isDemo ? folders.dataDir : undefined));
    if (isNewWorld) void begin(parts, origin, shutdown);
  } else if (!shutdown.signal.aborted) {
    throw new StartError(
      `The API did not answer at ${origin}/api/health within ${HEALTH_TIMEOUT_MS / 1000} s.`,
    );
  }
}

/** The demo world works without it, so a failure is only reported. */
async function begin(parts: SupervisorParts, origin: string, { signal }: Shutdown): Promise<void> {
  try {
    await parts.demo.begin(origin, signal);
  } catch (error) {
    if (!signal.aborted)
      parts.report(`The first day of the demo world was cut short: ${(error as Error).message}`);
  }
}

async function startDemoDatabase(
  folders: DataFolders,
  url: string,
  parts: SupervisorParts,
  shutdown: Shutdown,
): Promise<{ postgres: EmbeddedPostgres; isNew: boolean }> {
  let opened = await openDemoDatabase(folders, url, parts, shutdown);
  if (await parts.isOfRewrittenSchema(opened.postgres.ownerUrl)) {
    const aside = nameAside(folders.dataDir);
    await opened.close();
    renameSync(folders.dataDir, aside);
    parts.report(`The demo world is of an earlier schema. It was moved to ${aside}; a new one is created.`);
    opened = await openDemoDatabase(folders, url, parts, shutdown);
  }
  const { postgres } = opened;
  void postgres.ended.then(() => {
    if (shutdown.signal.aborted) return;
    parts.report(`The database ended unexpectedly. Its log: ${join(folders.dataDir, 'postgres.log')}`);
    shutdown.request(1);
  });
  shutdown.signal.throwIfAborted();
  await migrate(
    parts,
    postgres.ownerUrl,
    `\n  "npm run reset" moves ${folders.dataDir} aside and the next start begins with a new one.`,
  );
  shutdown.signal.throwIfAborted();
  const { ownerUrl } = postgres;
  const { seeded } = await parts.demo.seed({ ownerUrl, dataDir: folders.dataDir, report: parts.report });
  return { postgres, isNew: seeded };
}

async function openDemoDatabase(
  folders: DataFolders,
  url: string,
  parts: SupervisorParts,
  shutdown: Shutdown,
): Promise<{ postgres: EmbeddedPostgres; close(): Promise<void> }> {
  makeFolder(folders.dataDir);
  const lock = await takeLock(folders.dataDir, url);
  shutdown.onStop(lock.release);
  const postgres = await startEmbeddedPostgres({ ...folders, onProgress: parts.report });
  shutdown.onStop(postgres.stop);
  shutdown.signal.throwIfAborted();
  return {
    postgres,
    async close() {
      await postgres.stop();
      lock.release();
    },
  };
}

/** @returns the connections of the children */
async function prepareGivenDatabase(
  url: string,
  ownerUrl: string,
  parts: SupervisorParts,
): Promise<Record<string, string>> {
  await requireDatabase(url, 'DATABASE_URL');
  if (ownerUrl !== url) await requireDatabase(ownerUrl, 'DATABASE_OWNER_URL');
  await migrate(parts, ownerUrl);
  const pool = createPool({
    url,
    role: APPLICATION_ROLE,
    applicationName: 'copydesk-start',
    maxConnections: 1,
  });
  const statements = createStatements(pool);
  const problem = await findRoleProblem(statements, APPLICATION_ROLE)
    .then(async (found) => ({
      role: found,
      login: found === null ? await findLoginProblem(statements, APPLICATION_ROLE) : null,
    }))
    .finally(() => pool.end());
  if (problem.role !== null) throw new StartError(problem.role);
  if (problem.login === null) return { DATABASE_URL: url };
  // A trial has one login, of the owner or of the whole cluster. The API, which faces the network, refuses it.
  parts.report(
    'DATABASE_URL is not the login of an application: this start makes one. For production, make one yourself and set DATABASE_OWNER_URL (docs/operations/set-up.md).',
  );
  const name = `copydesk_start_${decodeURIComponent(new URL(url).pathname.slice(1))}`.slice(0, 56);
  const made = await makeLogins(url, name).catch((error: Error) => {
    throw new StartError(`${problem.login} This start could not make one: ${error.message}`);
  });
  return { ...made, DATABASE_DIRECT_URL: made.DATABASE_URL };
}

async function migrate(parts: SupervisorParts, ownerUrl: string, wayOut = ''): Promise<void> {
  try {
    await parts.migrate(ownerUrl);
  } catch (error) {
    throw new StartError(`The database could not be migrated: ${(error as Error).message}${wayOut}`);
  }
}

function announcement(url: string, demoDataDir: string | undefined): string {
  const lines = ['', '  Copydesk is running', '', `    Open     ${url}`];
  if (demoDataDir !== undefined) {
    lines.push(
      '    Sign in  choose a persona on the sign-in page (demo world)',
      `    Data     ${demoDataDir}`,
    );
  }
  lines.push('    Stop     Ctrl-C', '');
  return lines.join('\n');
}
