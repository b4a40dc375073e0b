import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const LOAD_WORLD = fileURLToPath(new URL('./load-world.ts', import.meta.url));

/** A migrated database with this many traders. */
export async function benchDatabase(
  ownerUrl: string,
  traders: number,
  { hasCredentials = false, hasHistory = false } = {},
): Promise<string> {
  const name = `bench_${traders}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  await promisify(execFile)(process.execPath, [
    LOAD_WORLD,
    url.href,
    String(traders),
    String(hasCredentials),
    String(hasHistory),
  ]);
  return url.href;
}
