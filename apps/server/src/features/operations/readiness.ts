import { setTimeout as sleep } from 'node:timers/promises';
import type { CallAnswer } from '@copydesk/contract';
import { type Durability, durabilityProblem, type Replication } from '@copydesk/domain/payouts';
import { APPLICATION_ROLE } from '../../platform/db/connection/connection.ts';
import { type Database, WHOLE_SCOPE } from '../../platform/db/database.ts';
import { findRoleProblem } from '../../platform/db/installation/application-role.ts';
import { readMigrations } from '../../platform/db/installation/migrate.ts';
import { createStatements } from '../../platform/db/statements.ts';
import { type Readiness, readReadiness } from './readiness.views.ts';

type Details = NonNullable<CallAnswer<'GET /api/ready'>['data']>;

const NO_WORKER =
  'No worker has reported in the last minute. Accounts are not read, and nothing is invoiced, sent or paid out. Start a worker.';
const AUDIT_BROKEN =
  'The audit chain does not continue from its last recorded head, or entries are missing that were to be sealed. Entries may have been removed or replaced. Check the log of the worker.';
const NO_ANSWER = 'The database does not answer';
const VENDORS: Record<string, string> = { 'stripe-sync': 'Stripe', 'clerk-sync': 'Clerk' };
/** Balancers do not wait for longer. */
const PATIENCE_MS = 5_000;
const NO_WRITES =
  'The database answers as a read replica. Changes are not possible until it has a leader again; reading works.';

interface ReadinessDeps {
  db: Database;
  durability: Durability;
  isLeaving: () => boolean;
}

/** Why a process gets no requests, in words for operators; or what is to be known about one that does. */
export type ReadinessVerdict = { refusal: string } | { refusal: null; details: Details };

/**
 * Checks what this process needs to serve: a database that answers, the role of its transactions, and a
 * schema that is not older than its code. Workers, the chain and a missing leader are not checked: taking
 * this process out would also take away the screens that report them.
 */
export function createReadiness({ db, durability, isLeaving }: ReadinessDeps) {
  const statements = createStatements(db.pool);
  // The migrations this process started with: another version may be unpacked over it while it serves.
  const wanted = readMigrations();
  wanted.catch(() => {}); // each check reports it
  const check = async (): Promise<ReadinessVerdict> => {
    const roleProblem = await findRoleProblem(statements, APPLICATION_ROLE);
    if (roleProblem !== null) return { refusal: roleProblem };
    const found = await db.read(WHOLE_SCOPE, readReadiness);
    if ((await wanted).some(({ name }) => !found.migrations.includes(name)))
      return { refusal: 'The database is not migrated to this version' };
    return { refusal: null, details: { ...detailsOf(found, durability), replicas: replicasOf(db) } };
  };
  return async (): Promise<ReadinessVerdict> => {
    if (isLeaving()) return { refusal: 'This process is about to stop' };
    return Promise.race([check(), sleep(PATIENCE_MS, { refusal: NO_ANSWER }, { ref: false })]);
  };
}

const replicasOf = ({ replicas }: Database): Details['replicas'] =>
  (replicas?.states() ?? []).map(({ behindMs, isUsed }) => ({
    behind_seconds: behindMs === null ? null : Math.round(behindMs / 100) / 10,
    is_used: isUsed,
  }));

function detailsOf(found: Readiness, durability: Durability): Omit<Details, 'replicas'> {
  const { workers, are_all_silent, is_audit_broken, takes_writes: writes, replication } = found;
  const audit = workers === 0 ? 'unchecked' : is_audit_broken ? 'broken' : 'intact';
  const problems = [
    ...(writes ? [] : [NO_WRITES]),
    ...(are_all_silent ? [NO_WORKER] : []),
    ...(audit === 'broken' ? [AUDIT_BROKEN] : []),
    ...(writes ? standbyProblems(replication, durability) : []),
    ...found.failed_syncs.map(
      ({ queue, count, since, reason }) =>
        `Events of ${VENDORS[queue] ?? queue} were given up after 20 attempts: ${count} ${count === 1 ? 'subject is' : 'subjects are'} not up to date, the oldest since ${since} (${reason}). Run \`bin/copydesk admin redrive\` once the cause is gone.`,
    ),
  ];
  const status = problems.length === 0 ? 'ready' : 'degraded';
  const standbys = replication.connected;
  return { status, database: true, migrations: true, writes, standbys, workers, audit, problems };
}

function standbyProblems(replication: Replication, durability: Durability): string[] {
  const problem = durabilityProblem(durability, replication);
  if (problem !== null) return [`Nothing is paid out. ${problem}`];
  return replication.forgottenUntil
    ? [
        `Payouts are sent without a standby until ${replication.forgottenUntil.toISOString()}, because an operator asked for it.`,
      ]
    : [];
}
