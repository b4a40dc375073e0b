import { startBareServer } from './support/bare-server.ts';
import { benchDatabase } from './support/databases.ts';
import { failed, type LoadResult, latency, load } from './support/load.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

// The console's page size.
const PAGE = 50;
const FLAGS = 'include_aum=true&include_exchanges=true';
const SECONDS = 8;
/** Warm-up before a measurement: statements are prepared and code is compiled once per process, not for each client. */
const WARM_UP_SECONDS = 2;

interface Side {
  traders: number;
  databaseUrl: string;
  api: RunningApi;
  token: string;
}

/** The Traders list at 1,000 and at 100,000 traders: pages, reads by id, a long list, and the memory it takes. */
export async function benchTraders(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const small = await listPagesAlone(await loadSide(ownerUrl, dataDir, 1_000));
  const large = await loadSide(ownerUrl, dataDir, 100_000);
  try {
    const pages = await listPages(large);
    report.row('page of 50 with counts and totals, 20 clients, 1,000 traders', latency(small));
    report.row(
      'the same at 100,000 traders',
      latency(pages),
      `p95 ≤ 40 ms, ≤ 3x: ${(pages.p95Ms / small.p95Ms).toFixed(2)}x`,
    );
    await benchPeople(large, report);
    const byId = await readsById(large);
    report.row('a trader by id, 20 clients, 100,000 traders', latency(byId), '≥ 1,500 a second');
    await benchLongList(large, report);
    const { nowMb, peakMb } = large.api.memory();
    report.row(
      'resident memory of the API',
      `${nowMb.toFixed(0)} MB now, ${peakMb.toFixed(0)} MB at most`,
      '< 250 MB',
    );
  } finally {
    await large.api.stop();
  }
}

async function loadSide(ownerUrl: string, dataDir: string, traders: number): Promise<Side> {
  console.log(`loading ${traders.toLocaleString('en-US')} traders`);
  const databaseUrl = await benchDatabase(ownerUrl, traders);
  const api = await startApi(databaseUrl, dataDir);
  return { traders, databaseUrl, api, token: await signIn(api.url, 'super') };
}

async function listPagesAlone(side: Side): Promise<LoadResult> {
  try {
    return await listPages(side);
  } finally {
    await side.api.stop();
  }
}

async function listPages({ api, token, traders }: Side): Promise<LoadResult> {
  const paths = ['inbox', 'connected', 'delinquent'].flatMap((tab) =>
    [0, 1, 2, 5, 10].map((page) => {
      const offset = Math.min(page * PAGE, traders / 10);
      return `/api/traders?${FLAGS}&tab=${tab}&limit=${PAGE}&offset=${offset}`;
    }),
  );
  const pages = { url: api.url, paths, token, clients: 20 };
  await load({ ...pages, seconds: WARM_UP_SECONDS });
  return load({ ...pages, seconds: SECONDS });
}

/**
 * All personas, in every order and with every kind of filter, against the first page of super admins in the same run.
 */
async function benchPeople({ api }: Side, report: Report): Promise<void> {
  let yardstick: number | undefined;
  for (const [persona, who] of [
    ['super', 'super admins'],
    ['staff', 'staff of one provider'],
    ['staff-multi', 'staff of three providers'],
  ] as const) {
    const token = await signIn(api.url, persona);
    for (const [what, query] of [
      ['first page', 'tab=connected'],
      ['all traders', ''],
      ['without an exchange', 'tab=none'],
      ['smallest balance first', 'tab=connected&orderDir=asc'],
      ['by reference number', 'tab=connected&orderBy=reference_number'],
      ['by username', 'tab=connected&orderBy=telegram_username'],
      ['of one exchange', 'tab=connected&exchange=okx'],
      ['below their minimum balance', 'below_minimum_balance=true'],
      ['offset 10,000', 'tab=connected&offset=10000'],
      ['offset 10,000 by reference number', 'tab=connected&orderBy=reference_number&offset=10000'],
      ['search by two characters', 'search=99'],
      ['search by two characters of anything else', 'search=ab&search_in=other'],
      ['search by part of a reference number', 'tab=connected&search=9934'],
      ['search by part of anything else', 'search=9934&search_in=other'],
    ] as const) {
      const paths = [`/api/traders?${FLAGS}&${query}&limit=${PAGE}`];
      const startedAt = performance.now();
      await fetch(`${api.url}${paths[0]}`, { headers: { authorization: `Bearer ${token}` } }).then((answer) =>
        answer.text(),
      );
      const coldMs = performance.now() - startedAt;
      const result = await load({ url: api.url, paths, token, clients: 4, seconds: SECONDS / 4 });
      yardstick ??= result.p50Ms;
      report.row(
        `${what}, ${who}, 4 clients, 100,000 traders`,
        `first ${coldMs.toFixed(0)} ms; ${latency(result)}`,
        `p50 ≤ 3x: ${(result.p50Ms / yardstick).toFixed(2)}x`,
      );
    }
  }
}

async function readsById({ api, token }: Side): Promise<LoadResult> {
  const response = await fetch(`${api.url}/api/traders?limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: { id: string }[] };
  const paths = data.map(({ id }) => `/api/traders/${id}`);
  return load({ url: api.url, paths, token, clients: 20, seconds: SECONDS });
}

/** Alternating, so that other load on the machine affects both equally. */
async function benchLongList({ api, token, databaseUrl }: Side, report: Report): Promise<void> {
  const bare = await startBareServer(databaseUrl, 10_000);
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  for (let round = 0; round < 3; round++) {
    const common = { clients: 2, seconds: SECONDS / 2 };
    theirs.push(await load({ url: bare.url, paths: ['/'], token: '', ...common }));
    ours.push(
      await load({ url: api.url, paths: ['/api/traders?limit=10000&include_aum=true'], token, ...common }),
    );
  }
  await bare.stop();
  const best = (results: LoadResult[]) => Math.max(...results.map((result) => result.requestsPerSecond));
  const rate = (results: LoadResult[]) => {
    const failures = results.reduce((sum, result) => sum + result.failures, 0);
    return `${best(results).toFixed(1)} a second${failed(failures)}`;
  };
  report.row('10,000 traders in one answer, bare server', rate(theirs));
  report.row(
    '10,000 traders in one answer, the API',
    rate(ours),
    `≤ 1.5x: ${(best(theirs) / best(ours)).toFixed(2)}x`,
  );
}
