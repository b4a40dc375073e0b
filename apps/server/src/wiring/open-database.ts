import type { Config } from '../config.ts';
import { loadAuditKey, requireAuditKeys } from '../platform/audit/audit-key.ts';
import type { AuditKeys } from '../platform/audit/entry-hashes.ts';
import {
  APPLICATION_ROLE,
  type ApplicationRole,
  createPool,
  isConnectionLate,
  OPERATOR_ROLE,
  WORKER_ROLE,
} from '../platform/db/connection/connection.ts';
import { canonicalUrl, connectionProblem } from '../platform/db/connection/database-url.ts';
import { createDatabase, type Database } from '../platform/db/database.ts';
import {
  requireApplicationLogin,
  requireApplicationRole,
} from '../platform/db/installation/application-role.ts';
import { requireRestrictedDatabase } from '../platform/db/installation/database-privileges.ts';
import { createStatements } from '../platform/db/statements.ts';
import type { Logger } from '../platform/observe/log.ts';
import { StartError } from '../platform/process/start-error.ts';
import { openReplicas } from './open-replicas.ts';

export interface OpenDatabase {
  url: string;
  /** The same database without a pooler. */
  directUrl: string;
  db: Database;
  auditKeys: AuditKeys;
}

/** On a busy machine, a first connection takes longer than an operator would wait for one. */
const START_PATIENCE_MS = 60_000;

/**
 * The application's database, with the key of its audit chain.
 * @param options.connectionTimeoutMs how long work may wait for a connection when no operator waits
 * @param options.workerAuditKey of a worker, and of the commands of its machine: see `AuditKeys`
 * @param options.role of its transactions. An operator's without a login of its own is that of a worker
 * @param options.log of an API: for replicas that are away as it starts
 * @param options.isApart of a program that runs: its login must not be able to do more than its role
 * @throws when the database refuses, at once; when connections stay late for a minute
 */
export async function openDatabase(
  config: Config,
  applicationName: string,
  {
    workerAuditKey = null,
    role: wanted = WORKER_ROLE,
    isApart = false,
    log,
    ...options
  }: {
    connectionTimeoutMs?: number;
    workerAuditKey?: Buffer | null;
    role?: ApplicationRole;
    isApart?: boolean;
    log?: Logger;
  } = {},
): Promise<OpenDatabase> {
  const { role, variable, url } = chooseLogin(config, wanted);
  if (!url) throw new StartError('DATABASE_URL is not set. `npm start` brings up a database of its own.');
  canonicalUrl(url, variable);
  const { databaseDirectUrl: directUrl = url, databasePool: maxConnections, hasUnnamedStatements } = config;
  canonicalUrl(directUrl, 'DATABASE_DIRECT_URL');
  const pool = createPool({ ...options, role, url, applicationName, maxConnections, hasUnnamedStatements });
  const statements = createStatements(pool);
  try {
    await patiently(() => requireApplicationRole(statements, role)).catch((error) => {
      throw error instanceof StartError ? error : connectionProblem(error, url, variable);
    });
    await requireRestrictedDatabase(statements);
    if (isApart) {
      await requireApplicationLogin(statements, role);
      if (role === APPLICATION_ROLE && directUrl !== url) await requireDirectLogin(directUrl);
    }
    const auditKey = await loadAuditKey({ statements, configured: config.auditKey, dataDir: config.dataDir });
    const replicas = role === APPLICATION_ROLE && isApart ? await openReplicas(config, pool, log) : null;
    const db = createDatabase({ pool, auditKey, workerAuditKey, replicas, now: () => new Date() });
    const auditKeys = { chain: auditKey, worker: workerAuditKey };
    await requireAuditKeys(db, auditKeys);
    return { url, directUrl, auditKeys, db };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

function chooseLogin(
  { databaseUrl, databaseWorkerUrl, databaseOperatorUrl }: Config,
  role: ApplicationRole,
): { role: ApplicationRole; variable: string; url: string | undefined } {
  if (role === OPERATOR_ROLE && databaseOperatorUrl)
    return { role, variable: 'DATABASE_OPERATOR_URL', url: databaseOperatorUrl };
  if (role !== APPLICATION_ROLE && databaseWorkerUrl)
    return { role: WORKER_ROLE, variable: 'DATABASE_WORKER_URL', url: databaseWorkerUrl };
  return {
    role: role === OPERATOR_ROLE ? WORKER_ROLE : role,
    variable: 'DATABASE_URL',
    url: databaseUrl,
  };
}

async function requireDirectLogin(url: string): Promise<void> {
  const pool = createPool({
    url,
    role: APPLICATION_ROLE,
    applicationName: 'copydesk-check',
    maxConnections: 1,
  });
  await requireApplicationLogin(createStatements(pool), APPLICATION_ROLE).finally(() => pool.end());
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLate(error) || performance.now() > endsAt) throw error;
    }
  }
}
