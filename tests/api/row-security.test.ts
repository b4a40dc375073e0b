import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDENTITY_TABLES } from '../../apps/server/src/platform/identity/tables.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** Tables without tenant rows: reference data, and what the processes keep for themselves. */
const WITHOUT_TENANTS = [
  'vip_tier',
  'schema_migration',
  'worker_heartbeat',
  'demo_world',
  'platform_recipient',
  // A person's own, whatever it may see.
  'saved_view',
  ...IDENTITY_TABLES,
];

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.05 });
});
afterAll(() => product.close());

test('every table has forced row-level security, or a reason not to', async () => {
  const tables = await asOwner<{ name: string; forced: boolean; policies: number }>(
    product.ownerUrl,
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
       (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'identity') AND c.relkind IN ('r', 'p')`,
  );
  const open = tables.filter((table) => !table.forced || table.policies === 0).map((table) => table.name);
  expect(open.sort()).toEqual([...WITHOUT_TENANTS].sort());
});

test('without a context the application sees no row of any tenant table', async () => {
  const names = await asOwner<{ name: string }>(
    product.ownerUrl,
    `SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace`,
  );
  expect(names.length).toBeGreaterThan(15);
  for (const { name } of names) {
    const { rows } = await product.db.pool.query(`SELECT count(*)::int AS count FROM ${name}`);
    expect(rows[0].count, name).toBe(0);
  }
});

test('the application is neither superuser nor owner, and cannot get around the policies', async () => {
  const { rows } = await product.db.pool.query(
    'SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  );
  expect(rows).toEqual([{ rolname: 'copydesk_app', rolsuper: false, rolbypassrls: false }]);
  await expect(product.db.pool.query('ALTER TABLE trader DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
    /must be owner/,
  );
  await expect(product.db.pool.query('DELETE FROM trader_provider')).rejects.toThrow(/permission denied/);
});

test('a context ends with its transaction', async () => {
  await product.db.read({ kind: 'all' }, async () => null);
  const client = new pg.Pool({ ...product.db.pool.options, max: 1 });
  const { rows } = await client.query('SELECT count(*)::int AS count FROM trader');
  expect(rows[0].count).toBe(0);
  await client.end();
});
