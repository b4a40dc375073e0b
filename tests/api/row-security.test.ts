import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPLICATION_ROLE, createPool } from '../../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { createStatements } from '../../apps/server/src/platform/db/statements.ts';
import { IDENTITY_TABLES } from '../../apps/server/src/platform/identity/tables.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** Tables without tenant rows: reference data, and what the processes keep for themselves. */
const WITHOUT_TENANTS = [
  'exchange',
  'schema_migration',
  'worker_heartbeat',
  'demo_world',
  // Says whether payments are stopped, which everyone is told.
  'transfer_gate',
  // Has a policy that binds the application, and is not forced: app.search_traders reads it as its owner.
  'trader_text',
  // Likewise, for app.search_audit; the application has no right to it at all.
  'audit_text',
  // Likewise, for app.record_audit and app.seal_audit; the application may read them alone.
  ...['audit_order', 'audit_seal', 'audit_unsealed'],
  ...IDENTITY_TABLES,
];

/** Reference data: read without a context, and written by unrestricted transactions only. */
const READ_BY_ALL = ['platform_recipient', 'vip_tier'];

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
    `SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace
       AND has_table_privilege('copydesk_app', oid, 'SELECT')`,
  );
  expect(names.length).toBeGreaterThan(15);
  for (const { name } of names.filter((each) => !READ_BY_ALL.includes(each.name))) {
    const { rows } = await createStatements(product.apiDb.pool).query(
      `SELECT count(*)::int AS count FROM ${name}`,
    );
    expect(rows[0].count, name).toBe(0);
  }
});

test('only an unrestricted transaction writes reference data', async () => {
  const { query } = createStatements(product.apiDb.pool);
  expect((await query('SELECT count(*)::int AS count FROM vip_tier')).rows[0].count).toBeGreaterThan(0);
  for (const scope of ['', 'providers']) {
    const inScope = `SELECT set_config('copydesk.scope', '${scope}', false)`;
    await query(inScope);
    expect((await query('DELETE FROM vip_tier')).rowCount, scope).toBe(0);
    expect((await query('UPDATE platform_recipient SET address = NULL')).rowCount, scope).toBe(0);
    await expect(query(`INSERT INTO vip_tier VALUES (9, 'Nine', 9e9)`), scope).rejects.toThrow(
      /row-level security/,
    );
  }
});

test('the application is neither superuser nor owner, and cannot get around the policies', async () => {
  const { rows } = await createStatements(product.apiDb.pool).query(
    'SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  );
  expect(rows).toEqual([{ rolname: 'copydesk_app', rolsuper: false, rolbypassrls: false }]);
  await expect(
    createStatements(product.apiDb.pool).query('ALTER TABLE trader DISABLE ROW LEVEL SECURITY'),
  ).rejects.toThrow(/must be owner/);
  await expect(createStatements(product.apiDb.pool).query('DELETE FROM trader_provider')).rejects.toThrow(
    /permission denied/,
  );
});

test('role, scope and timeouts end with their transaction', async () => {
  const pool = createPool({
    ...{ url: product.ownerUrl, role: APPLICATION_ROLE },
    ...{ maxConnections: 1, applicationName: 'test' },
  });
  const names = [
    ...['role', 'copydesk.scope', 'statement_timeout', 'lock_timeout'],
    ...['idle_in_transaction_session_timeout', 'jit'],
  ];
  const texts = names.map((name) => `current_setting('${name}', true) AS "${name}"`);
  const settings = async (query: (text: string) => Promise<{ rows: unknown[] }>) =>
    (await query(`SELECT ${texts.join(', ')}`)).rows[0];
  const db = createDatabase({ pool, auditKey: Buffer.alloc(32), now: () => new Date() });
  try {
    await pool.query("SET lock_timeout = '5s'"); // as another program leaves it behind a pooler
    const [inside] = await db.read({ kind: 'all' }, (tx) =>
      tx.sql
        .selectNoFrom((eb) =>
          names.map((name) => eb.fn<string>('current_setting', [eb.val(name), eb.lit(true)]).as(name)),
        )
        .execute(),
    );
    expect(inside).toEqual({
      role: 'copydesk_app',
      'copydesk.scope': 'all',
      statement_timeout: '15s',
      lock_timeout: '0',
      idle_in_transaction_session_timeout: '30s',
      jit: 'off',
    });
    const { query } = createStatements(pool);
    expect(await settings(query)).toEqual({ ...inside, 'copydesk.scope': '' });
    expect((await query('SELECT count(*)::int AS count FROM trader')).rows).toEqual([{ count: 0 }]);
    const between = await settings((text) => pool.query(text));
    expect(between).toMatchObject({ role: 'none', statement_timeout: '0', lock_timeout: '5s' });
  } finally {
    await db.close();
  }
});

test('a single statement commits; a refused one leaves its connection usable', async () => {
  const pool = createPool({
    ...{ url: product.ownerUrl, role: APPLICATION_ROLE },
    ...{ maxConnections: 1, applicationName: 'test' },
  });
  const { query } = createStatements(pool);
  const count = async () =>
    (await query('SELECT count(*)::int AS n FROM identity.sign_in_failure')).rows[0].n;
  const insert = (key: string) =>
    query('INSERT INTO identity.sign_in_failure (key_hash, failures, forget_at) VALUES ($1, 1, now())', [
      createHash('sha256').update(key).digest(),
    ]);
  try {
    const before = await count();
    await insert('once');
    await expect(insert('once')).rejects.toThrow(/duplicate key/);
    await expect(query('SELECT 1 / 0')).rejects.toThrow(/division by zero/);
    await insert('twice');
    expect(await count()).toBe(before + 2);
    expect(pool.totalCount).toBe(1);
  } finally {
    await pool.end();
  }
});

test('the application cannot change decisions and signatures of payouts', async () => {
  for (const statement of [
    'UPDATE distribution SET amount_units = 1',
    'UPDATE distribution SET requested_by_id = gen_random_uuid()::text',
    'UPDATE chain_wallet SET address = lower(address)',
    'UPDATE transfer SET to_address = lower(to_address)',
    'UPDATE transfer SET amount_units = 1',
    "UPDATE transfer_attempt SET raw = '0x00'",
    ...['distribution', 'chain_wallet', 'transfer', 'transfer_attempt'].flatMap((table) => [
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ]),
  ])
    await expect(createStatements(product.apiDb.pool).query(statement), statement).rejects.toThrow(
      /permission denied/,
    );
});

test('staff see no wallets and transfers, and a requester cannot be the approver', async () => {
  const [wallet] = await asOwner<{ id: string }>(
    product.ownerUrl,
    `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address)
     SELECT 56, 'community', id, internal_wallet_index, internal_wallet_address FROM community
     WHERE internal_wallet_address IS NOT NULL LIMIT 1 RETURNING id`,
  );
  const providers = await asOwner<{ id: string }>(product.ownerUrl, 'SELECT id FROM provider');
  const scope = { kind: 'providers', providerIds: providers.map(({ id }) => id) } as const;
  const seen = await product.apiDb.read(scope, ({ sql }) =>
    sql.selectFrom('chain_wallet').select('id').execute(),
  );
  expect(wallet?.id).toBeDefined();
  expect(seen).toEqual([]);
  await expect(
    asOwner(
      product.ownerUrl,
      `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by, decided_by_id,
         decided_by, decided_at) SELECT id, 'approved', 1, 'me', 'Me', 'me', 'Me', now() FROM community LIMIT 1`,
    ),
  ).rejects.toThrow(/approved by an independent/);
});
