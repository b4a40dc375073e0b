import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../apps/server/src/platform/db/installation/create-database.ts';
import { migrate } from '../apps/server/src/platform/db/installation/migrate.ts';
import { findFreePort } from '../apps/server/src/platform/process/free-port.ts';
import { applicationUrlOf } from '../tests/support/application-url.ts';
import { type BareCluster, SYSTEM_POSTGRES, startBareCluster } from '../tests/support/bare-cluster.ts';
import { startStandby } from '../tests/support/standby.ts';
import { fillDemoWorld } from '../tests/support/test-app.ts';
import { AUDIT_KEY_TEXT } from '../tests/support/test-keys.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const SECONDS = 4;
const CLIENTS = 16;
/** Times the demo world: 6,000 traders. */
const SCALE = 10;
const WRITES_PER_SECOND = 20;
const PATHS = [
  '/api/traders?limit=50',
  '/api/traders?limit=50&status=connected',
  '/api/invoices?limit=50',
  '/api/traders?search=a&limit=20',
];

/** Reads a second of lists, by how many APIs and replicas answer them, quiet and while others write. */
export async function benchReplicas(_ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  if (!SYSTEM_POSTGRES) return report.row('Reads on replicas', 'skipped: no PostgreSQL of the machine');
  const leader = await startBareCluster(SYSTEM_POSTGRES);
  const servers = [leader];
  try {
    const ownerUrl = leader.urlOf('copydesk_owner', 'secret', 'copydesk');
    await createDatabase({
      adminUrl: leader.adminUrl,
      ownerUrl,
      applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
    });
    await migrate(ownerUrl);
    await fillDemoWorld(ownerUrl, SCALE);
    for (const name of ['first', 'second'])
      servers.push(await startStandby(SYSTEM_POSTGRES, leader, { name }));
    for (const apis of [1, 2, 3])
      for (const replicas of [0, 1, 2]) await benchReads(servers, { apis, replicas, dataDir }, report);
  } finally {
    for (const server of servers.reverse()) await server.stop();
  }
}

type MeasuredApi = RunningApi & { metricsUrl: string };

interface Setup {
  apis: number;
  replicas: number;
  dataDir: string;
}

async function benchReads(
  [leader, ...standbys]: BareCluster[],
  { apis, replicas, dataDir }: Setup,
  report: Report,
): Promise<void> {
  if (!leader) throw new Error('there is a leader');
  const superuserUrl = leader.urlOf('postgres', leader.password, 'copydesk');
  const url = await applicationUrlOf(superuserUrl);
  const readUrls = standbys.slice(0, replicas).map((standby) => {
    const at = new URL(url);
    at.port = new URL(standby.adminUrl).port;
    return at.href;
  });
  const env = { AUDIT_KEY: AUDIT_KEY_TEXT, ...(replicas && { DATABASE_READ_URL: readUrls.join(',') }) };
  const running: MeasuredApi[] = [];
  for (let n = 0; n < apis; n++) {
    const metricsPort = await findFreePort();
    const api = await startApi(superuserUrl, dataDir, { ...env, METRICS_PORT: String(metricsPort) });
    running.push({ ...api, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` });
  }
  const writer = new pg.Client({ connectionString: superuserUrl });
  await writer.connect();
  try {
    const token = await signIn(running[0]?.url ?? '', 'super');
    await sleep(1_500); // until the APIs have looked at their replicas
    for (const writes of [0, WRITES_PER_SECOND]) {
      const before = await countReads(running);
      const reads = await readFor(running, token, writes, writer);
      const after = await countReads(running);
      const onReplica = after.replica - before.replica;
      const all = onReplica + after.leader - before.leader;
      report.row(
        `${apis} API, ${replicas} replicas, ${writes} writes a second`,
        `${Math.round(reads / SECONDS)} a second, ${all ? Math.round((100 * onReplica) / all) : 0} % on replicas`,
      );
    }
  } finally {
    await writer.end();
    for (const api of running) await api.stop();
  }
}

/** Answers within the time, by clients that send back how far they have seen. */
async function readFor(
  apis: RunningApi[],
  token: string,
  writes: number,
  writer: pg.Client,
): Promise<number> {
  const endsAt = performance.now() + SECONDS * 1_000;
  let answers = 0;
  const read = async (_: unknown, client: number) => {
    let seen = '';
    for (let n = client; performance.now() < endsAt; n++) {
      const headers = { authorization: `Bearer ${token}`, ...(seen && { 'copydesk-position': seen }) };
      const response = await fetch(`${apis[client % apis.length]?.url}${PATHS[n % PATHS.length]}`, {
        headers,
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
      const position = response.headers.get('copydesk-position') ?? '';
      if (position > seen) seen = position;
      answers += 1;
    }
  };
  const write = async () => {
    while (writes > 0 && performance.now() < endsAt) {
      await writer.query(
        `UPDATE trader SET updated_at = now() WHERE id = (SELECT id FROM trader OFFSET floor(random() * 1000) LIMIT 1)`,
      );
      await sleep(1_000 / writes);
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }).map(read), write()]);
  return answers;
}

/** Reads of lists so far, by where they were answered. */
async function countReads(apis: MeasuredApi[]): Promise<{ leader: number; replica: number }> {
  const sums = { leader: 0, replica: 0 };
  for (const { metricsUrl } of apis) {
    const text = await (await fetch(metricsUrl)).text();
    for (const from of ['leader', 'replica'] as const)
      sums[from] += Number(
        new RegExp(`^copydesk_reads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
      );
  }
  return sums;
}
