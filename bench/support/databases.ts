import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { benchFolders } from './data-dir.ts';

const LOAD_WORLD = fileURLToPath(new URL('./load-world.ts', import.meta.url));
/** What the name of a database ends with until its load has ended. */
const LOADING = '_loading';
/** With its indexes. Small worlds take more for each trader, and fit anyway. */
const BYTES_A_TRADER = { withHistory: 29_000, alone: 6_000 };
const MOST_BYTES = 40e9;

/**
 * A migrated database with this many traders. It gets its name when its load has ended: what a load that was cut off
 * has left is never used, and goes before the next one.
 * @throws when the disk has no room for it
 */
export async function benchDatabase(
  ownerUrl: string,
  traders: number,
  { hasCredentials = false, hasHistory = false } = {},
): Promise<string> {
  const name = `bench_${traders}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await dropUnfinished(client);
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    checkDisk(traders * (hasHistory ? BYTES_A_TRADER.withHistory : BYTES_A_TRADER.alone), name);
    await client.query(`CREATE DATABASE ${name}${LOADING}`);
    await promisify(execFile)(process.execPath, [
      LOAD_WORLD,
      urlOf(ownerUrl, name + LOADING),
      String(traders),
      String(hasCredentials),
      String(hasHistory),
    ]);
    await client.query(`ALTER DATABASE ${name}${LOADING} RENAME TO ${name}`);
  } finally {
    await client.end();
  }
  return urlOf(ownerUrl, name);
}

/** The rows of a load that was cut off are gone with its transaction, but the files that held them are not. */
async function dropUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'bench%' AND right(datname, ${LOADING.length}) = '${LOADING}'`,
  );
  for (const { name } of rows) {
    console.log(`removing ${name}, whose load was cut off`);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function checkDisk(bytes: number, name: string): void {
  const gb = (size: number) => `${(size / 1e9).toFixed(1)} GB`;
  if (bytes > MOST_BYTES)
    throw new Error(`${name} would take ${gb(bytes)}; benchmarks take at most ${gb(MOST_BYTES)}.`);
  const { dataDir } = benchFolders();
  const { bavail, bsize } = statfsSync(dataDir);
  if (bytes > bavail * bsize)
    throw new Error(`${name} takes ${gb(bytes)}, and the disk of ${dataDir} has ${gb(bavail * bsize)} left.`);
}

function urlOf(ownerUrl: string, name: string): string {
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  return url.href;
}
