import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

/** Traders. A demo world has about 4.6 invoices and 15 shares of them for each; all figures are of its history. */
const SIZES = [10_000, 30_000, 100_000];
const TABLES = 14;

interface Size {
  name: string;
  rows: number;
  bytes: number;
}

/** What a row of each large table takes, indexes included, at three sizes, and how long loading took. */
export async function benchSizes(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const measured: Map<string, Size>[] = [];
  for (const traders of SIZES) {
    const startedAt = performance.now();
    const databaseUrl = await benchDatabase(ownerUrl, traders, { hasHistory: true });
    const seconds = (performance.now() - startedAt) / 1000;
    const sizes = await readSizes(databaseUrl);
    measured.push(new Map(sizes.map((size) => [size.name, size])));
    const bytes = sizes.reduce((all, size) => all + size.bytes, 0);
    report.row(
      `${traders.toLocaleString('en-US')} traders loaded`,
      `${seconds.toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB, ${Math.round(bytes / traders)} bytes a trader`,
    );
    await drop(ownerUrl, databaseUrl);
  }
  const largest = [...(measured.at(-1)?.values() ?? [])].sort((a, b) => b.bytes - a.bytes).slice(0, TABLES);
  for (const { name, rows } of largest)
    report.row(
      `${name}, ${rows.toLocaleString('en-US')} rows at the most`,
      `${measured.map((sizes) => bytesARow(sizes.get(name))).join(', ')} bytes a row`,
    );
}

const bytesARow = (size: Size | undefined) => (size ? Math.round(size.bytes / Math.max(size.rows, 1)) : '-');

/** Tables that are divided count as one. */
export async function readSizes(databaseUrl: string): Promise<Size[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query<Size>(`
      SELECT coalesce(parent.relname, c.relname) AS name, sum(greatest(c.reltuples, 0))::float8 AS rows,
        sum(pg_total_relation_size(c.oid))::float8 AS bytes
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
      WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ('public', 'partition', 'identity') GROUP BY 1`);
    return rows;
  } finally {
    await client.end();
  }
}

async function drop(ownerUrl: string, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`DROP DATABASE ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
  await client.end();
}
