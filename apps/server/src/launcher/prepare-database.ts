import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../config.ts';
import {
  APPLICATION_ROLE,
  type ApplicationRole,
  createClient,
  createPool,
  WORKER_ROLE,
} from '../platform/db/connection/connection.ts';
import { requireDatabase } from '../platform/db/connection/database-url.ts';
import { findLoginProblem, findRoleProblem } from '../platform/db/installation/application-role.ts';
import { migrate } from '../platform/db/installation/migrate.ts';
import { createStatements } from '../platform/db/statements.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { DataFolders } from './data-folders.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Program } from './keep-running.ts';
import type { Shutdown } from './run-until-stopped.ts';

/** Says something to the person at the terminal. */
export type Report = (line: string) => void;

/** A database that is ready, and how the children of this start use it. */
interface Prepared {
  settings: Record<string, string>;
  /** The program that plays the exchanges of a demo world. */
  simulators?: Program | null;
  /** What follows once the API answers. */
  begin?: (origin: string) => void;
}

/**
 * Brings up the embedded database with the demo world, until the shutdown stops it.
 * @param place the folders, and the address of the console
 */
export async function prepareDemoDatabase(
  config: Config,
  { shutdown, report, ...place }: DataFolders & { url: string; report: Report; shutdown: Shutdown },
): Promise<Prepared> {
  const { dataDir } = place;
  const { signal } = shutdown;
  const { ownerUrl, stop, ended } = await startEmbeddedPostgres({ ...place, onProgress: report });
  shutdown.onStop(stop);
  void ended.then(() => {
    if (signal.aborted) return;
    report(`The database ended unexpectedly. Its log: ${join(dataDir, 'postgres.log')}`);
    shutdown.request(1);
  });
  signal.throwIfAborted();
  await migrateOrExplain(
    ownerUrl,
    `\n  "npm run reset" moves ${dataDir} aside and the next start begins with a new one.`,
  );
  signal.throwIfAborted();
  const { beginWorld, findWorldSettings, SIMULATORS, seedWorld } = await import('./demo-world.ts');
  const isNew = await seedWorld(config, { ownerUrl, dataDir, scale: 1, report });
  const logins = await makeLogins(ownerUrl);
  const { settings, areSimulated } = await findWorldSettings(config, ownerUrl);
  if (!areSimulated)
    report(
      'This demo world is older than the simulated exchanges and cannot be read. "npm run reset" begins a new one.',
    );
  const hasFirstDay = isNew && areSimulated && config.demoActs;
  return {
    settings: { ...logins, COPYDESK_DEMO: '1', DATABASE_DURABILITY: 'single', ...settings },
    simulators: areSimulated ? SIMULATORS : null,
    begin: (origin) => void (hasFirstDay && beginWorld(origin, settings, signal, report)),
  };
}

/** @param wayOut for the person whose database cannot be migrated */
async function migrateOrExplain(ownerUrl: string, wayOut = ''): Promise<void> {
  try {
    await migrate(ownerUrl);
  } catch (error) {
    throw new StartError(`The database could not be migrated: ${(error as Error).message}${wayOut}`);
  }
}

/** Migrates the database of DATABASE_URL, and looks at its login as the API will. */
export async function prepareGivenDatabase(url: string, ownerUrl: string, report: Report): Promise<Prepared> {
  await requireDatabase(url, 'DATABASE_URL');
  if (ownerUrl !== url) await requireDatabase(ownerUrl, 'DATABASE_OWNER_URL');
  await migrateOrExplain(ownerUrl);
  const problem = await findProblem(url);
  if (problem === null) return { settings: { DATABASE_URL: url } };
  // A trial has one login, of the owner or of the whole cluster. The API, which faces the network, refuses it.
  report(
    'DATABASE_URL is not the login of an application: this start makes one. For production, make one yourself and set DATABASE_OWNER_URL (docs/operations/set-up.md).',
  );
  const name = `copydesk_start_${decodeURIComponent(new URL(url).pathname.slice(1))}`.slice(0, 56);
  const made = await makeLogins(url, name).catch((error: Error) => {
    throw new StartError(`${problem} This start could not make one: ${error.message}`);
  });
  return { settings: { ...made, DATABASE_DIRECT_URL: made.DATABASE_URL } };
}

/** What the API would refuse about the login; a problem of the role is thrown, since another login has it too. */
async function findProblem(url: string): Promise<string | null> {
  const pool = createPool({
    url,
    role: APPLICATION_ROLE,
    applicationName: 'copydesk-start',
    maxConnections: 1,
  });
  try {
    const statements = createStatements(pool);
    const ofRole = await findRoleProblem(statements, APPLICATION_ROLE);
    if (ofRole !== null) throw new StartError(ofRole);
    return await findLoginProblem(statements, APPLICATION_ROLE);
  } finally {
    await pool.end();
  }
}

/** The logins of the processes of `npm start`, one for the API and one for the worker. @param name of the API's */
async function makeLogins(
  ownerUrl: string,
  name = 'copydesk_login',
): Promise<{ DATABASE_URL: string; DATABASE_WORKER_URL: string }> {
  return {
    DATABASE_URL: await makeLogin(ownerUrl, name, APPLICATION_ROLE),
    DATABASE_WORKER_URL: await makeLogin(ownerUrl, `${name}_worker`, WORKER_ROLE),
  };
}

/**
 * Creates a login whose password lives as long as this start. It is a member of one role and nothing else.
 * @param ownerUrl connection of the owner of the schema, who may create roles
 * @param name of the login: one that no other installation of the cluster has
 * @returns the connection of the login
 */
async function makeLogin(ownerUrl: string, name: string, role: ApplicationRole): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = createClient({ connectionString: ownerUrl, application_name: 'copydesk-start' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (!rowCount) await client.query(`CREATE ROLE ${pg.escapeIdentifier(name)} LOGIN IN ROLE ${role}`);
    await client.query(`ALTER ROLE ${pg.escapeIdentifier(name)} PASSWORD '${password}'`);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = password;
  return url.href;
}
