import pg from 'pg';
import { applyMigration } from '../apps/server/src/platform/db/migrations/apply-migration.ts';
import { DIVIDING, undivideReadings } from '../tests/support/undivided-readings.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

const DAYS = 9_000;
const MONTHS_OF_MESSAGES = 36;
const MESSAGES = 1_000_000;

/** What dividing a table by month costs and gives: where reads name the time, and where they do not. */
export async function benchPartitions(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const url = await benchDatabase(ownerUrl, 1_000);
  const client = await connect(url);
  try {
    await benchReadings(url, client, report);
    await benchMessages(client, report);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  return client;
}

async function benchReadings(url: string, client: pg.Client, report: Report): Promise<void> {
  await undivideReadings(client);
  await client.query('ALTER TABLE equity_snapshot NO FORCE ROW LEVEL SECURITY');
  await client.query(`INSERT INTO equity_snapshot SELECT trader_id, provider_id, current_date - n, 1000
    FROM trader_provider, generate_series(0, ${DAYS - 1}) n ORDER BY 1, 2, 3`);
  await client.query('VACUUM ANALYZE equity_snapshot');
  const { rows } = await client.query('SELECT count(*)::int AS count FROM equity_snapshot');
  const size = `${(rows[0].count / 1e6).toFixed(1)} million rows`;
  const { rows: ids } = await client.query('SELECT trader_id FROM equity_snapshot LIMIT 1');
  const year = () =>
    medianOf(client, {
      text: `SELECT day::text, sum(equity)::text FROM equity_snapshot
        WHERE trader_id = $1 AND day BETWEEN current_date - 365 AND current_date GROUP BY day ORDER BY day`,
      values: [ids[0].trader_id],
    });
  const yearUndivided = await year();
  const beside = await startReadersAndWriters(url);
  const startedAt = performance.now();
  for (const [at, text] of DIVIDING.entries())
    await applyMigration(client, { name: `9001_${at}`, text, checksum: '' }, { lockTimeoutMs: 3_000 });
  const seconds = (performance.now() - startedAt) / 1000;
  const { statements, refused, longestMs } = await beside.stop();
  report.row(
    `daily equity divided by month, ${size}, beside two readers and two writers`,
    `${seconds.toFixed(1)} s; ${statements} statements, ${refused} refused, the longest took ${Math.round(longestMs)} ms`,
    '0 refused, ≤ 1,000 ms',
  );
  report.row(
    `a year of one trader of ${size}, before and after`,
    `${yearUndivided.toFixed(2)}, ${(await year()).toFixed(2)} ms`,
  );
}

/** One reads the last day and one the days of a trader, and two write today's value, each as fast as it can. */
async function startReadersAndWriters(url: string) {
  const outcome = { statements: 0, refused: 0, longestMs: 0 };
  let isOver = false;
  const write = `INSERT INTO equity_snapshot AS s (trader_id, provider_id, day, equity)
    SELECT trader_id, provider_id, current_date, random() FROM trader_provider ORDER BY random() LIMIT 1
    ON CONFLICT (trader_id, provider_id, day) DO UPDATE SET equity = excluded.equity`;
  const texts = [
    'SELECT sum(equity) FROM equity_snapshot WHERE day = current_date AND provider_id = (SELECT id FROM provider LIMIT 1)',
    'SELECT day, equity FROM equity_snapshot WHERE trader_id = (SELECT id FROM trader LIMIT 1) AND day > current_date - 90',
    write,
    write,
  ];
  const running = texts.map(async (text) => {
    const client = await connect(url);
    while (!isOver) {
      const startedAt = performance.now();
      await client.query(text).catch(() => outcome.refused++);
      outcome.longestMs = Math.max(outcome.longestMs, performance.now() - startedAt);
      outcome.statements++;
    }
    await client.end();
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
      return outcome;
    },
  };
}

/** The shape of messages, of which most reads name no time: undivided, by year, by quarter and by month. */
async function benchMessages(client: pg.Client, report: Report): Promise<void> {
  const columns = `id uuid PRIMARY KEY, trader_id uuid NOT NULL, invoice_id uuid NOT NULL, state text NOT NULL,
    created_at timestamptz NOT NULL, text text NOT NULL`;
  await client.query(`CREATE TABLE undivided_messages (${columns});
    INSERT INTO undivided_messages SELECT overlay(gen_random_uuid()::text
        PLACING regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '(.{8})', '\\1-') FROM 1 FOR 13)::uuid,
      md5((n % 20000)::text)::uuid, md5(n::text)::uuid, CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'sent' END, at, repeat('x', 200)
    FROM generate_series(1, ${MESSAGES}) n,
      LATERAL (SELECT date_trunc('month', now()) - n * interval '${MONTHS_OF_MESSAGES} months' / ${MESSAGES} AS at) t`);
  const tables = { undivided: 'undivided_messages', 'by year': '', 'by quarter': '', 'by month': '' };
  for (const [name, months] of [
    ['by year', 12],
    ['by quarter', 3],
    ['by month', 1],
  ] as const) {
    tables[name] = `messages_by_${months}`;
    await client.query(`CREATE TABLE ${tables[name]} (${columns}) PARTITION BY RANGE (id)`);
    await client.query(`DO $$ DECLARE at timestamptz := date_trunc('month', now()) - interval '${MONTHS_OF_MESSAGES} months';
      DECLARE bound text := '00000000-0000-0000-0000-000000000000'; DECLARE until text; BEGIN
      WHILE at < now() + interval '3 months' LOOP
        at := at + interval '${months} months';
        until := overlay('00000000-0000-0000-0000-000000000000'
          PLACING regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '(.{8})', '\\1-') FROM 1 FOR 13);
        EXECUTE format('CREATE TABLE %I PARTITION OF ${tables[name]} FOR VALUES FROM (%L) TO (%L)',
          '${tables[name]}_' || to_char(at, 'YYYY_MM'), bound, until);
        bound := until;
      END LOOP; END $$`);
    await client.query(`INSERT INTO ${tables[name]} SELECT * FROM undivided_messages`);
  }
  for (const table of Object.values(tables)) {
    for (const index of ['(created_at DESC, id)', '(trader_id, created_at DESC, id)', '(invoice_id)'])
      await client.query(`CREATE INDEX ON ${table} ${index}`);
    await client.query(`CREATE INDEX ON ${table} (created_at DESC, id) WHERE state = 'failed'`);
    await client.query(`ANALYZE ${table}`);
  }
  const { rows } = await client.query('SELECT * FROM undivided_messages LIMIT 1');
  const names = Object.keys(tables).join(', ');
  for (const [what, where, values] of [
    ['one by its key', 'WHERE id = $1', [rows[0].id]],
    ['one of an invoice', 'WHERE invoice_id = $1', [rows[0].invoice_id]],
    ['fifty of a trader', 'WHERE trader_id = $1 ORDER BY created_at DESC, id LIMIT 50', [rows[0].trader_id]],
    ['the last fifty', 'ORDER BY created_at DESC, id LIMIT 50', []],
    ['the last fifty that failed', `WHERE state = 'failed' ORDER BY created_at DESC, id LIMIT 50`, []],
  ] as const) {
    const medians: string[] = [];
    for (const table of Object.values(tables)) {
      const median = await medianOf(client, { text: `SELECT * FROM ${table} ${where}`, values: [...values] });
      medians.push(median.toFixed(2));
    }
    report.row(`${what} of a million messages of three years: ${names}`, `${medians.join(', ')} ms`);
  }
}

async function medianOf(client: pg.Client, query: pg.QueryConfig): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 200; n++) {
    const startedAt = performance.now();
    await client.query(query);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[100] ?? 0;
}
