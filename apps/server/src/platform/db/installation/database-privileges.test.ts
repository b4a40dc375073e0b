import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyDatabase } from '../../../../../../tests/support/copy-database.ts';
import { createTestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { beginTransaction } from '../begin.ts';
import { APPLICATION_ROLE, createPool } from '../connection/connection.ts';
import { createStatements } from '../statements.ts';
import { requireRestrictedDatabase } from './database-privileges.ts';
import { migrate } from './migrate.ts';

// What a login of the application could do to the database beside its own statements.

let ownerUrl: string;
let drop: () => Promise<void>;
let pool: pg.Pool;
beforeAll(async () => {
  ({ ownerUrl, drop } = await createTestDatabase());
  pool = createPool({ url: ownerUrl, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await drop();
});

/** One transaction of the application that sees everything. */
async function asApplication(...statements: string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await beginTransaction(client, 'BEGIN', { scope: { kind: 'all' } });
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const balances = () => asOwner(ownerUrl, 'SELECT posted, pending FROM ledger_balance ORDER BY account_id');

describe('the ledger', () => {
  beforeAll(async () => {
    await asOwner(
      ownerUrl,
      "INSERT INTO ledger_account (kind, owner_id, asset) VALUES ('deposit_wallet', gen_random_uuid(), 'USDT')",
    );
  });

  test('is not forged by a trigger on a temporary table', async () => {
    const before = await balances();
    const forging = asApplication(
      'CREATE TEMPORARY TABLE forged (account_id uuid, amount numeric)',
      `CREATE TRIGGER forge AFTER INSERT ON forged REFERENCING NEW TABLE AS added
         FOR EACH STATEMENT EXECUTE FUNCTION app.reserve_balances()`,
      'INSERT INTO forged SELECT account_id, -1000000 FROM ledger_balance',
    );
    await expect(forging).rejects.toThrow(/permission denied to create temporary tables/);
    expect(await balances()).toEqual(before);
  });

  test('is not forged by one on a table of its own, were it given a place for some', async () => {
    await asOwner(ownerUrl, 'CREATE SCHEMA place');
    await asOwner(ownerUrl, 'GRANT USAGE, CREATE ON SCHEMA place TO copydesk_app');
    const forging = asApplication(
      'CREATE TABLE place.forged (account_id uuid, amount numeric)',
      `CREATE TRIGGER forge AFTER INSERT ON place.forged REFERENCING NEW TABLE AS added
         FOR EACH STATEMENT EXECUTE FUNCTION app.reserve_balances()`,
    );
    await expect(forging).rejects.toThrow(/permission denied for function app.reserve_balances/);
    await asOwner(ownerUrl, 'DROP SCHEMA place');
  });

  test.each(['public', 'app', 'identity', 'pgboss'])('there is no place for one in %s', async (schema) => {
    await expect(asApplication(`CREATE TABLE ${schema}.forged ()`)).rejects.toThrow(/permission denied/);
  });
});

test('the application makes no schema', async () => {
  await expect(asApplication('CREATE SCHEMA forged')).rejects.toThrow(/permission denied/);
});

test('the application calls no function with the rights of the owner but those that it needs', async () => {
  for (const call of [
    'app.open_scope()',
    "app.refresh_traders('{}')",
    "app.refresh_invoice_sums('{}')",
    "app.refresh_payouts('{}')",
    "app.payouts_touched('{}')",
  ])
    await expect(asApplication(`SELECT ${call}`), call).rejects.toThrow(/permission denied for function/);
});

test('nor does a function that a later migration adds, until it is granted', async () => {
  await asOwner(ownerUrl, 'CREATE FUNCTION app.later() RETURNS int LANGUAGE sql RETURN 1');
  await asOwner(ownerUrl, 'CREATE FUNCTION public.later() RETURNS int LANGUAGE sql RETURN 1');
  await expect(asApplication('SELECT app.later()')).rejects.toThrow(/permission denied for function/);
  await expect(asApplication('SELECT public.later()')).rejects.toThrow(/permission denied for function/);
});

test('every function with the rights of the owner looks for names in its own places first', async () => {
  const loose = await asOwner(
    ownerUrl,
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
     WHERE p.pronamespace = 'app'::regnamespace AND p.prosecdef
       AND NOT coalesce(p.proconfig @> ARRAY['search_path=public, pg_temp'], false)`,
  );
  expect(loose).toEqual([]);
});

test('the application cannot switch off the triggers that keep sums', async () => {
  const [trader] = await asOwner<{ id: string }>(
    ownerUrl,
    `WITH made AS (INSERT INTO community (name) VALUES ('Sums') RETURNING id)
     INSERT INTO trader (community_id, referral_code) SELECT id, 'sums' FROM made RETURNING id`,
  );
  const [provider] = await asOwner<{ id: string }>(
    ownerUrl,
    "INSERT INTO provider (name, display_name) VALUES ('Sums', 'Sums') RETURNING id",
  );
  await asApplication(
    "SELECT set_config('copydesk.bulk', 'on', true)",
    `INSERT INTO exchange_account (trader_id, provider_id, exchange, acc_uid, equity, equity_read_at)
     VALUES ('${trader?.id}', '${provider?.id}', 'bybit', 'sums', 5, now())`,
  );
  expect(await asOwner(ownerUrl, 'SELECT aum::int FROM trader WHERE id = $1', [trader?.id])).toEqual([
    { aum: 5 },
  ]);
});

test('reference data and the mark of the demo world are written by the owner alone', async () => {
  for (const table of ['platform_recipient', 'demo_world', 'schema_migration'])
    for (const statement of [
      `INSERT INTO ${table} DEFAULT VALUES`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ])
      await expect(asApplication(statement), statement).rejects.toThrow(/permission denied/);
  await expect(asApplication(`UPDATE platform_recipient SET recipient_type = 'tip'`)).rejects.toThrow(
    /permission denied/,
  );
  await expect(asApplication('UPDATE vip_tier SET min_aum = 1')).rejects.toThrow(/permission denied/);
  await expect(asApplication('UPDATE demo_world SET traders = 1')).rejects.toThrow(/permission denied/);
});

test('a copied database is refused until it was migrated, which takes the privileges back', async () => {
  const copy = await copyDatabase(ownerUrl);
  const copied = createPool({ url: copy.ownerUrl, applicationName: 'test' });
  try {
    await requireRestrictedDatabase(createStatements(copied));
    await asOwner(
      copy.ownerUrl,
      `GRANT TEMPORARY ON DATABASE ${new URL(copy.ownerUrl).pathname.slice(1)} TO PUBLIC`,
    );
    await expect(requireRestrictedDatabase(createStatements(copied))).rejects.toThrow(/npm run migrate/);
    // Functions that an earlier test left here are no migration's.
    await migrate(copy.ownerUrl);
    await requireRestrictedDatabase(createStatements(copied));
  } finally {
    await copied.end();
    await copy.drop();
  }
});

test('a login made by hand in the role of the application works, and gets no further', async () => {
  const { hostname, port, pathname } = new URL(ownerUrl);
  const login = `test_login_${process.pid}`;
  await asOwner(ownerUrl, `CREATE ROLE ${login} LOGIN PASSWORD 'by-hand' IN ROLE copydesk_app`);
  const url = `postgres://${login}:by-hand@${hostname}:${port}${pathname}`;
  const application = createPool({ url, role: APPLICATION_ROLE, applicationName: 'test' });
  const bare = new pg.Client({ connectionString: url });
  try {
    await requireRestrictedDatabase(createStatements(application));
    expect((await createStatements(application).query('SELECT count(*)::int AS n FROM trader')).rows).toEqual(
      [{ n: 0 }],
    );
    await bare.connect();
    // Without SET ROLE it inherits the same rights, and has none of its own.
    await expect(bare.query('CREATE TEMPORARY TABLE x ()')).rejects.toThrow(/permission denied/);
    await expect(bare.query('CREATE TABLE public.x ()')).rejects.toThrow(/permission denied/);
    await expect(bare.query('SET ROLE copydesk')).rejects.toThrow(/permission denied/);
  } finally {
    await application.end();
    await bare.end();
    await asOwner(ownerUrl, `DROP ROLE ${login}`);
  }
});
