import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { takeSealingTurn } from '../apps/server/src/platform/audit/seal.ts';
import { createPool, WORKER_ROLE } from '../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, type Database } from '../apps/server/src/platform/db/database.ts';
import { createDatabase as createInstallation } from '../apps/server/src/platform/db/installation/create-database.ts';
import { migrate } from '../apps/server/src/platform/db/installation/migrate.ts';
import { createLog } from '../apps/server/src/platform/observe/log.ts';
import { findFreePort } from '../apps/server/src/platform/process/free-port.ts';
import { type BareCluster, SYSTEM_POSTGRES, startBareCluster } from '../tests/support/bare-cluster.ts';
import { postmasterOf, startStandby } from '../tests/support/standby.ts';
import { until } from '../tests/support/until.ts';
import { processorMs } from './support/processor-time.ts';
import type { Report } from './support/report.ts';

const SECONDS = 5;
/** As workers do. */
const SEAL_EVERY_MS = 300;
/** To the standby and back. */
const WIRE_MS = 3;
const ACTOR = { kind: 'system', id: 'bench', name: 'Bench' } as const;
const KEYS = { chain: Buffer.alloc(32, 1), worker: Buffer.alloc(32, 2) };
const log = createLog('error', 'bench');
const STANDBY = 'bench_standby';

/**
 * How many audited changes a second the audit takes: alone, and where each commit waits for a standby that is three
 * milliseconds away.
 */
export async function benchAudit(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('DROP DATABASE IF EXISTS bench_audit WITH (FORCE)');
  await owner.query('CREATE DATABASE bench_audit');
  await owner.end();
  const url = new URL(ownerUrl);
  url.pathname = '/bench_audit';
  await migrate(url.href);
  for (const writers of [1, 16]) await benchWriters(url.href, writers, '', report);
  if (SYSTEM_POSTGRES) await benchWithStandby(SYSTEM_POSTGRES, report);
  else report.row('Audited changes with a standby', 'skipped: no PostgreSQL of the machine');
}

async function benchWithStandby(binDir: string, report: Report): Promise<void> {
  const leader = await startBareCluster(binDir);
  const stops = [leader.stop];
  try {
    const url = leader.urlOf('copydesk_owner', 'secret', 'copydesk');
    await createInstallation({
      adminUrl: leader.adminUrl,
      ownerUrl: url,
      applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
    });
    await migrate(url);
    const postmaster = postmasterOf(leader);
    for (const writers of [1, 16, 64]) await benchWriters(url, writers, ', two clusters', report, postmaster);
    const { standby, wire } = await startFarStandby(binDir, leader);
    stops.push(standby.stop, async () => void wire.kill());
    await leader.asAdmin(
      `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`,
      'SELECT pg_reload_conf()',
    );
    await until(async () => {
      const client = new pg.Client({ connectionString: leader.adminUrl });
      await client.connect();
      const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
      await client.end();
      return rows.length > 0;
    });
    for (const writers of [1, 16, 64])
      await benchWriters(url, writers, `, standby ${WIRE_MS} ms away`, report, postmaster);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** A standby that its leader reaches over a slow wire. */
async function startFarStandby(binDir: string, leader: BareCluster) {
  const { port } = new URL(leader.adminUrl);
  const wirePort = String(await findFreePort());
  const wire: ChildProcess = fork(fileURLToPath(new URL('./support/slow-link.ts', import.meta.url)), [
    wirePort,
    port,
    String(WIRE_MS / 2),
  ]);
  const primary = `host=127.0.0.1 port=${wirePort} user=postgres password=${leader.password} application_name=${STANDBY}`;
  const standby = await startStandby(binDir, leader, {
    name: STANDBY,
    settings: [`primary_conninfo=${primary}`],
  });
  return { standby, wire };
}

async function benchWriters(
  url: string,
  writers: number,
  where: string,
  report: Report,
  postmaster?: number,
): Promise<void> {
  const pool = createPool({ url, maxConnections: writers, applicationName: 'bench' });
  const db = createDatabase({ pool, auditKey: KEYS.chain, now: () => new Date() });
  // As a worker beside them: its part counts.
  const sealing = createDatabase({
    pool: createPool({ url, maxConnections: 1, applicationName: 'bench', role: WORKER_ROLE }),
    auditKey: KEYS.chain,
    workerAuditKey: KEYS.worker,
    now: () => new Date(),
  });
  const seal = () => takeSealingTurn({ db: sealing, auditKeys: KEYS, log });
  const communities = await listCommunities(sealing, writers);
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const serverBefore = postmaster ? processorMs(postmaster) : 0;
  const endsAt = performance.now() + SECONDS * 1_000;
  const write = async (id: string) => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await db.write({ kind: 'all' }, ACTOR, async (tx) => {
        // Whoever looks at it is shown the change.
        await tx.sql
          .updateTable('community')
          .set({ name: `Bench ${randomUUID()}` })
          .where('id', '=', id)
          .execute();
        tx.audit({ action: 'bench.done', target: { kind: 'community', id }, after: { n: times.length } });
      });
      times.push(performance.now() - startedAt);
    }
  };
  let isOver = false;
  const sealAll = async () => {
    while (!isOver) if (!(await seal())) await setTimeout(SEAL_EVERY_MS);
    while (await seal());
  };
  const sealed = sealAll();
  await Promise.all(communities.map(write));
  isOver = true;
  await sealed;
  const { user, system } = process.cpuUsage(cpuBefore);
  const serverMs = postmaster ? processorMs(postmaster) - serverBefore : 0;
  await Promise.all([db.close(), sealing.close()]);
  times.sort((a, b) => a - b);
  const perChange = (ms: number) => (ms / times.length).toFixed(2);
  const cpu = postmaster
    ? `; ${perChange((user + system) / 1_000)} + ${perChange(serverMs)} ms of processor time each (Node + PostgreSQL)`
    : '';
  report.row(
    `Audited changes, ${writers} at once${where}`,
    `${Math.round(times.length / SECONDS)} a second, p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms${cpu}`,
  );
}

/** A community for each writer: those of one wait for each other. */
async function listCommunities(db: Database, count: number): Promise<string[]> {
  return db.write({ kind: 'all' }, ACTOR, async (tx) => {
    const names = Array.from({ length: count }, () => ({ name: `Bench ${randomUUID()}` }));
    const rows = await tx.sql.insertInto('community').values(names).returning('id').execute();
    return rows.map(({ id }) => id);
  });
}
