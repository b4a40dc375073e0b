import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applicationUrlOf, workerUrlOf } from '../../../../../tests/support/application-url.ts';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { createTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { DIVIDING, undivideReadings } from '../../../../../tests/support/undivided-readings.ts';
import { pruneSnapshots } from '../../features/exchanges/reading/snapshots.store.ts';
import { detachPartitions, keepPartitions } from './partitions.ts';

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
});
afterAll(() => product?.close());

const owner = <R extends pg.QueryResultRow>(text: string) => asOwner<R>(product.ownerUrl, text);
const partitions = async () =>
  (await owner<{ name: string }>(`SELECT name FROM app.partitions() ORDER BY until`)).map(({ name }) => name);
const tables = async () =>
  (
    await owner<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'partition' ORDER BY 1`,
    )
  ).map(({ name }) => name);
const months = (count: number) =>
  owner<{ name: string }>(
    `SELECT to_char(date_trunc('month', now()) + make_interval(months => n), '"equity_snapshot_"YYYY_MM') AS name
     FROM generate_series(0, ${count}) n`,
  ).then((rows) => rows.map(({ name }) => name));

describe('months ahead', () => {
  test('there are three after this one, made again when they are missing, by two workers at once', async () => {
    expect((await partitions()).at(-1)).toBe((await months(3)).at(-1));
    for (const name of (await months(3)).slice(2)) await owner(`DROP TABLE partition.${name}`);
    const without = await partitions();
    await Promise.all([keepPartitions(product.db), keepPartitions(product.db)]);
    expect(await partitions()).toEqual([...without, ...(await months(3)).slice(2)]);
  });

  test('a day beyond them is refused, and has no other place', async () => {
    const add = owner(`INSERT INTO equity_snapshot
      SELECT trader_id, provider_id, current_date + 200, 1 FROM trader_provider LIMIT 1`);
    await expect(add).rejects.toThrow(/no partition of relation "equity_snapshot"/);
  });
});

describe('who reaches them', () => {
  const as = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  test.each([
    ['the API', applicationUrlOf],
    ['a worker', workerUrlOf],
  ])('%s reads no partition but through its table', async (_who, urlOf) => {
    const [name] = await partitions();
    await expect(as(await urlOf(product.ownerUrl), `SELECT FROM partition.${name}`)).rejects.toThrow(
      /permission denied for schema/,
    );
  });

  test('the API makes none and detaches none', async () => {
    const url = await applicationUrlOf(product.ownerUrl);
    for (const call of [
      'app.make_partitions()',
      `app.detach_partition('equity_snapshot', 'infinity', false)`,
    ])
      await expect(as(url, `SELECT ${call}`)).rejects.toThrow(/permission denied for function/);
  });

  test('a worker detaches nothing that is younger than the table may lose, and nothing of another table', async () => {
    const before = await tables();
    expect(
      await detachPartitions(product.db, 'equity_snapshot', { before: new Date('2100-01-01'), keeps: false }),
    ).toEqual([]);
    expect(
      await detachPartitions(product.db, 'posting', { before: new Date('2100-01-01'), keeps: false }),
    ).toEqual([]);
    expect(await tables()).toEqual(before);
  });
});

describe('months that leave', () => {
  const now = () => new Date();
  const MONTHS = ['2021-01', '2021-02', '2021-03'];
  const nameOf = (month: string) => `equity_snapshot_${month.replace('-', '_')}`;
  const daysBefore = (date: string) => Math.floor((Date.now() - Date.parse(date)) / 86_400_000);

  /** As an installation that was divided in 2021. */
  beforeEach(async () => {
    await owner(`DROP TABLE IF EXISTS partition.equity_snapshot_before;
      ${MONTHS.map(
        (month) => `DROP TABLE IF EXISTS partition.${nameOf(month)};
          CREATE TABLE partition.${nameOf(month)} PARTITION OF equity_snapshot
          FOR VALUES FROM ('${month}-01') TO ('${month}-01'::date + interval '1 month');`,
      ).join('\n')}
      INSERT INTO equity_snapshot SELECT p.trader_id, p.provider_id, d::date, 1 FROM trader_provider p,
        generate_series('2021-01-01', '2021-03-31', interval '1 day') d`);
  });
  const days = async () =>
    owner(
      `SELECT to_char(day, 'YYYY-MM') AS month, count(DISTINCT day)::int AS days FROM equity_snapshot GROUP BY 1 ORDER BY 1`,
    );

  test('a month leaves when its last day is old enough, and no row is deleted', async () => {
    const deps = { db: product.db, now };
    const pruned = await pruneSnapshots(deps, { keptDays: daysBefore('2021-03-01'), keepsTables: false });
    expect(pruned).toEqual({ months: MONTHS.slice(0, 2).map(nameOf), rows: 0 });
    expect(await days()).toEqual([{ month: '2021-03', days: 31 }]);
    expect(await tables()).not.toContain(nameOf('2021-01'));
    // A day short of its end.
    expect(
      await pruneSnapshots(deps, { keptDays: daysBefore('2021-04-01') + 1, keepsTables: false }),
    ).toMatchObject({ months: [] });
  });

  test('kept months stay with their rows, beside the table', async () => {
    const options = { keptDays: daysBefore('2021-02-01'), keepsTables: true };
    expect((await pruneSnapshots({ db: product.db, now }, options)).months).toEqual([nameOf('2021-01')]);
    const [row] = await owner<{ days: number }>(
      `SELECT count(DISTINCT day)::int AS days FROM partition.${nameOf('2021-01')}`,
    );
    expect(row).toEqual({ days: 31 });
    expect(await days()).not.toContainEqual(expect.objectContaining({ month: '2021-01' }));
  });

  test('behind a long reader it gives up soon, and takes up where it was', async () => {
    const reader = new pg.Client({ connectionString: product.ownerUrl });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE equity_snapshot IN ACCESS SHARE MODE');
    const options = { before: new Date('2021-02-01'), keeps: false, pauseMs: 1 };
    await expect(detachPartitions(product.db, 'equity_snapshot', options)).rejects.toMatchObject({
      code: '55P03',
    });
    expect(await partitions()).toContain(nameOf('2021-01'));
    await reader.end();
    expect(await detachPartitions(product.db, 'equity_snapshot', options)).toEqual([nameOf('2021-01')]);
  });
});

// Last: it makes the table as it was before.
test('a table with rows is divided without being read, and what was in it stays', async () => {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  await undivideReadings(client);
  await client.query(`INSERT INTO equity_snapshot
    SELECT trader_id, provider_id, current_date - n, n FROM trader_provider, generate_series(0, 30) n`);
  const rows = `SELECT md5(string_agg(s::text, ',' ORDER BY s)) AS hash, count(*)::int AS count FROM equity_snapshot s`;
  const before = (await client.query(rows)).rows;
  await client.query('SET client_min_messages = debug1');
  for (const text of DIVIDING) await client.query(text);
  await client.query('RESET client_min_messages');
  expect((await client.query(rows)).rows).toEqual(before);
  expect(before[0].count).toBeGreaterThan(500);
  expect(notices).toContain(
    'partition constraint for table "equity_snapshot_before" is implied by existing constraints',
  );
  expect(notices).not.toContain('verifying table "equity_snapshot_before"');
  await client.end();
});
