import type pg from 'pg';
import type { Config } from '../config.ts';
import { APPLICATION_ROLE, createPool } from '../platform/db/connection/connection.ts';
import { canonicalUrl, connectionProblem } from '../platform/db/connection/database-url.ts';
import {
  requireApplicationLogin,
  requireApplicationRole,
} from '../platform/db/installation/application-role.ts';
import { readLeader } from '../platform/db/replicas/read-on-replica.ts';
import { createReplicas, type Replicas } from '../platform/db/replicas/replicas.ts';
import { createStatements } from '../platform/db/statements.ts';
import type { Logger } from '../platform/observe/log.ts';
import { EXIT_CONFIG, StartError } from '../platform/process/start-error.ts';

const VARIABLE = 'DATABASE_READ_URL';
/** feature_not_supported, object_not_in_prerequisite_state, insufficient_privilege: the service keeps its log to itself. */
const UNTOLD = new Set(['0A000', '55000', '42501']);

/**
 * The replicas of the settings; null: there are none. One that is away as the API starts is used once it is back.
 * @throws StartError when an address or its login is wrong, and where the database does not tell of its log
 */
export async function openReplicas(
  { databaseReadUrls: urls, databasePool: maxConnections, hasUnnamedStatements }: Config,
  leader: pg.Pool,
  log: Logger | undefined,
): Promise<Replicas | null> {
  if (urls.length === 0) return null;
  await requirePositions(leader);
  for (const url of urls) canonicalUrl(url, VARIABLE);
  for (const url of urls) {
    await requireReplica(url).catch((error) => {
      const problem = connectionProblem(error, url, VARIABLE);
      if (problem.exitCode === EXIT_CONFIG) throw problem;
      log?.warn({ problem: problem.message }, 'a replica is away; the leader answers instead');
    });
  }
  return createReplicas({ urls, leader, maxConnections, hasUnnamedStatements, now: () => performance.now() });
}

async function requirePositions(leader: pg.Pool): Promise<void> {
  try {
    await readLeader(leader);
  } catch (error) {
    if (!UNTOLD.has((error as { code?: string }).code ?? '')) throw error;
    throw new StartError(
      `${VARIABLE}: this database does not tell how far its log is (${(error as Error).message}), so it is not known whether a replica has what a person just did. Remove ${VARIABLE}: the database's own address answers everything.`,
    );
  }
}

async function requireReplica(url: string): Promise<void> {
  const pool = createPool({
    url,
    role: APPLICATION_ROLE,
    applicationName: 'copydesk-check',
    maxConnections: 1,
    isReplica: true,
  });
  const statements = createStatements(pool);
  try {
    await requireApplicationRole(statements, APPLICATION_ROLE);
    await requireApplicationLogin(statements, APPLICATION_ROLE);
  } finally {
    await pool.end();
  }
}
