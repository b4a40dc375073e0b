import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase } from '../apps/server/src/platform/db/installation/create-database.ts';
import { findFreePort } from '../apps/server/src/platform/process/free-port.ts';
import { type BareCluster, SYSTEM_POSTGRES, startBareCluster } from '../tests/support/bare-cluster.ts';
import { postmasterOf, startStandby } from '../tests/support/standby.ts';
import { processorMs } from './support/processor-time.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const TRADERS = 20_000;
const READERS = 16;
const WARM_UP_SECONDS = 3;
const SECONDS = 10;
const WRITES_PER_SECOND = 5;
const PATHS = ['inbox', 'connected', 'delinquent'].flatMap((tab) =>
  [0, 50, 100, 500].map(
    (offset) => `/api/traders?include_aum=true&include_exchanges=true&tab=${tab}&limit=50&offset=${offset}`,
  ),
);
const LOAD_WORLD = fileURLToPath(new URL('./support/load-world.ts', import.meta.url));

/** An API, and where it says how many reads replicas answered. */
type MeasuredApi = RunningApi & { metricsUrl: string };

/**
 * Pages of the Traders list a second, by how many APIs and replicas answer them, alone and beside writes. On one
 * machine all share its processors: what counts is the time that the leader is left with for a page.
 */
export async function benchReads(_ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  if (!SYSTEM_POSTGRES) return report.row('Reads on replicas', 'skipped: no PostgreSQL of the machine');
  const leader = await startBareCluster(SYSTEM_POSTGRES);
  const standbys: BareCluster[] = [];
  try {
    const ownerUrl = leader.urlOf('copydesk_owner', 'secret', 'copydesk');
    await createDatabase({
      adminUrl: leader.adminUrl,
      ownerUrl,
      applicationUrl: leader.urlOf('copydesk_login', 'secret', 'copydesk'),
    });
    await promisify(execFile)(process.execPath, [LOAD_WORLD, ownerUrl, String(TRADERS)]);
    // What loading leaves to write is not the reads'.
    await leader.asAdmin('CHECKPOINT');
    for (const replicas of [0, 1, 2]) {
      if (replicas > 0)
        standbys.push(await startStandby(SYSTEM_POSTGRES, leader, { name: `replica_${replicas}` }));
      for (const apis of [1, 2, 3]) await benchSetup(leader, standbys, { apis, dataDir }, report);
    }
  } finally {
    for (const cluster of [...standbys.reverse(), leader]) await cluster.stop();
  }
}

async function benchSetup(
  leader: BareCluster,
  standbys: readonly BareCluster[],
  { apis, dataDir }: { apis: number; dataDir: string },
  report: Report,
): Promise<void> {
  const running = await startApis(leader, standbys, { apis, dataDir });
  try {
    for (const writes of [0, WRITES_PER_SECOND]) {
      const token = await signIn(running[0]?.url ?? '', 'super');
      await readFor(WARM_UP_SECONDS, running, token, writes);
      const before = { leaderMs: processorMs(postmasterOf(leader)), ...(await countReads(running)) };
      const pages = await readFor(SECONDS, running, token, writes);
      const leaderMs = processorMs(postmasterOf(leader)) - before.leaderMs;
      const after = await countReads(running);
      const onReplicas = after.replica - before.replica;
      const share = onReplicas / Math.max(1, onReplicas + after.leader - before.leader);
      report.row(
        `Traders list: ${apis} API, ${standbys.length} replicas, ${writes} writes a second`,
        `${Math.round(pages / SECONDS)} a second, ${(leaderMs / pages).toFixed(2)} ms of the leader's processor each, ${Math.round(share * 100)} % on replicas`,
      );
    }
  } finally {
    for (const api of running) await api.stop();
  }
}

async function startApis(
  leader: BareCluster,
  standbys: readonly BareCluster[],
  { apis, dataDir }: { apis: number; dataDir: string },
): Promise<MeasuredApi[]> {
  const running: MeasuredApi[] = [];
  for (let nth = 0; nth < apis; nth += 1) {
    const metricsPort = String(await findFreePort());
    const api = await startApi(
      leader.urlOf('copydesk_owner', 'secret', 'copydesk'),
      dataDir,
      {
        METRICS_PORT: metricsPort,
        // A replica whose connections are all at work leaves a read to the leader.
        DATABASE_POOL: String(READERS),
        ...(standbys.length > 0 && {
          DATABASE_READ_URL: standbys
            .map((each) => each.urlOf('test_application', 'application', 'copydesk'))
            .join(','),
        }),
      },
      { logFile: join(dataDir, `api-${nth}.log`) },
    );
    running.push({ ...api, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` });
  }
  return running;
}

/** @returns how many pages were answered */
async function readFor(
  seconds: number,
  apis: readonly RunningApi[],
  token: string,
  writes: number,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let pages = 0;
  const urlOf = (client: number) => apis[client % apis.length]?.url ?? '';
  const read = async (client: number) => {
    // As a console, which sends back how far it has seen.
    let position: string | null = null;
    for (let nth = client; performance.now() < endsAt; nth += 1) {
      const answer: Response = await fetch(`${urlOf(client)}${PATHS[nth % PATHS.length]}`, {
        headers: { authorization: `Bearer ${token}`, ...(position && { 'copydesk-position': position }) },
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
      position = answer.headers.get('copydesk-position') ?? position;
      pages += 1;
    }
  };
  const write = async () => {
    const url = `${urlOf(0)}/api/traders`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const list = (await (await fetch(`${url}?limit=1`, { headers })).json()) as { data: { id: string }[] };
    for (let nth = 0; performance.now() < endsAt; nth += 1) {
      const body = JSON.stringify({ name: `Bench ${nth}` });
      const answer = await fetch(`${url}/${list.data[0]?.id}`, { method: 'PATCH', headers, body });
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
      await sleep(1_000 / writes);
    }
  };
  await Promise.all([
    ...Array.from({ length: READERS }, (_, client) => read(client)),
    ...(writes > 0 ? [write()] : []),
  ]);
  return pages;
}

/** Reads that a replica might have answered, so far, by where they were answered. */
async function countReads(apis: readonly MeasuredApi[]): Promise<{ leader: number; replica: number }> {
  const sums = { leader: 0, replica: 0 };
  for (const { metricsUrl } of apis) {
    const text = await (await fetch(metricsUrl)).text();
    for (const [, from, count] of text.matchAll(/^copydesk_reads_total\{from="(leader|replica)"\} (\d+)/gm))
      sums[from as 'leader' | 'replica'] += Number(count);
  }
  return sums;
}
