import pg from 'pg';
import { seedDemoWorld } from '../../apps/server/src/demo/seed.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';

/** A migrated database with so many traders. */
export async function benchDatabase(ownerUrl: string, traders: number): Promise<string> {
  const name = `bench_${traders}`;
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  await seedDemoWorld(url.href, { scale: traders / 600, hasHistory: false });
  return url.href;
}
