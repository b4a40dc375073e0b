import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MONEY_TABLES } from '../support/describe-money-tables.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// What whoever has the login of the API can do with SQL.

let product: TestApp;
let client: pg.Client;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
  client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await product?.close();
});

/** Runs a statement in the role of the API, which sees every row, and takes it back. @returns its SQLSTATE; null: it ran */
async function attempt(statement: string, values: unknown[] = []): Promise<string | null> {
  await client.query('BEGIN');
  try {
    await client.query(
      "SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true)",
    );
    await client.query(statement, values);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}
const REFUSED = '42501';

/** Columns of every money table, in order. */
const columnsOf = async (table: string) =>
  (
    await client.query<{ name: string }>(
      `SELECT a.attname AS name FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0
         AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = '' ORDER BY a.attnum`,
      [table],
    )
  ).rows.map(({ name }) => name);

/** What only a worker writes: statements that say that money moved, or that make it move. */
const OF_WORKERS = {
  transfer: [
    'INSERT',
    'DELETE',
    'state',
    'nonce',
    'to_address',
    'amount_units',
    'sent_at',
    'limit_claimed_at',
  ],
  transfer_attempt: ['INSERT', 'DELETE', 'raw', 'hash', 'is_success', 'broadcast_at'],
  transfer_heartbeat: ['INSERT', 'DELETE', 'tip_floor_wei'],
  transfer_gate: ['INSERT', 'DELETE', 'stopped_since'],
  transfer_stop: ['INSERT', 'DELETE', 'lifted_at', 'reason'],
  chain_wallet: ['DELETE', 'next_nonce', 'first_nonce', 'frozen_because', 'address', 'key_index'],
  chain_cursor: ['INSERT', 'DELETE', 'block_number', 'block_hash'],
  chain_address_check: ['INSERT', 'DELETE', 'surplus_units'],
  deposit: ['INSERT', 'DELETE', 'amount_units', 'payment_id', 'trader_id'],
  deposit_set_aside: ['INSERT', 'DELETE', 'amount_units'],
  payment: ['INSERT', 'DELETE', 'amount_units', 'trader_id'],
  payout_returned_share: ['INSERT', 'DELETE', 'amount_units'],
  pool_deposit: ['INSERT', 'DELETE', 'amount_units', 'member_id'],
  pool_arrival: ['INSERT', 'DELETE', 'amount_units'],
  journal: ['DELETE', 'kind', 'source_id'],
  posting: ['DELETE', 'amount'],
  ledger_balance: ['INSERT', 'DELETE', 'posted', 'pending'],
} satisfies Partial<Record<keyof typeof MONEY_TABLES, string[]>>;

test.each(Object.entries(OF_WORKERS))('%s: %s are refused', async (table, attempts) => {
  const columns = await columnsOf(table);
  const outcomes: [string, string | null][] = [];
  for (const what of attempts) {
    const statement =
      what === 'INSERT'
        ? `INSERT INTO ${table} DEFAULT VALUES`
        : what === 'DELETE'
          ? `DELETE FROM ${table}`
          : `UPDATE ${table} SET ${what} = ${what}`;
    if (what !== 'INSERT' && what !== 'DELETE') expect(columns).toContain(what);
    outcomes.push([what, await attempt(statement)]);
  }
  expect(outcomes).toEqual(attempts.map((what) => [what, REFUSED]));
});

test('every table of amounts, nonces and coin is among those that money depends on', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname ~ '(_units|_wei|nonce)$' ORDER BY 1`,
  );
  // Sums that triggers keep for lists, figures of days, figures of exchanges, transfers that are never booked, prices, what runs
  // say of traders, and what members and pools have by the ledger.
  const SHOWN = [
    'community_day',
    'community_external_balance',
    'exchange_bot_coupon',
    'exchange_bot_plan',
    'exchange_bot_sale',
    'figure_day',
    'harvest_allocation',
    'incoming_transfer',
    'invoice_group',
    'invoice_part',
    'invoicing_line',
    'invoicing_run',
    'other_token_transfer',
    'payout_in_set',
    'payout_provider',
    'payout_sum',
    'pool_evidence',
    'pool_exchange_read',
    'pool_member',
    'pool_movement',
    'pool_provider_sum',
    'pool_set_sum',
    'pool_sum',
    'trader_provider',
  ];
  const unlisted = rows.filter(({ name }) => !(name in MONEY_TABLES) && !SHOWN.includes(name));
  expect(unlisted.map(({ name }) => name)).toEqual([]);
});

test('the functions that order transfers take no wallet, no recipient and no amount', async () => {
  const { rows } = await client.query<{ name: string; args: string }>(
    `SELECT p.proname AS name, pg_get_function_arguments(p.oid) AS args FROM pg_proc p
     WHERE p.pronamespace = 'app'::regnamespace AND p.proname ~ '^order_' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'order_consolidations',
    'order_credit_return',
    'order_payouts',
    'order_pool_funding',
    'order_pool_return',
    'order_sending_back',
  ]);
  for (const { args } of rows) expect(args).not.toMatch(/wallet|address|recipient|amount|units/);
});

test('an unapproved distribution is not ordered, whoever calls the function', async () => {
  const { rows } = await client.query<{ id: string }>(
    `SELECT o.id FROM payout o WHERE o.distribution_id IS NULL LIMIT 1`,
  );
  await client.query('BEGIN');
  await client.query(
    "SELECT set_config('role', 'copydesk_app', true), set_config('copydesk.scope', 'all', true)",
  );
  await client.query(
    `SELECT app.order_payouts(56, '0x' || repeat('1', 40), ARRAY[gen_random_uuid()], $1::uuid[])`,
    [[rows[0]?.id]],
  );
  const { rows: ordered } = await client.query('SELECT FROM transfer WHERE payout_id = $1', [rows[0]?.id]);
  await client.query('ROLLBACK');
  expect(ordered).toEqual([]);
});

test('of the queue it may order a subject to be read again, and nothing else', async () => {
  const request = (...values: unknown[]) => attempt('SELECT app.request_sync($1, $2, $3, $4)', values);
  for (const queue of ['stripe-sync', 'clerk-sync'])
    expect(await request(queue, 'customer', 'cus_1', null)).toBe(null);
  const { rows: queues } = await client.query<{ name: string }>('SELECT name FROM pgboss.queue');
  const others = queues.map(({ name }) => name).filter((name) => !/^(stripe|clerk)-sync$/.test(name));
  expect(others).toEqual(expect.arrayContaining(['scheduled', 'sync-failed']));
  for (const queue of [...others, 'Stripe-sync', 'stripe-sync ', '', null])
    expect([queue, await request(queue, 'customer', 'cus_1', null)]).toEqual([queue, REFUSED]);
  for (const [kind, subject] of [
    ['', 'cus_1'],
    ['Customer', 'cus_1'],
    ["customer'", 'cus_1'],
    ['customer\n', 'cus_1'],
    ['c'.repeat(31), 'cus_1'],
    [null, 'cus_1'],
    ['customer', ''],
    ['customer', 'c'.repeat(256)],
    ['customer', null],
  ])
    expect([kind, subject, await request('stripe-sync', kind, subject, null)]).toEqual([
      kind,
      subject,
      REFUSED,
    ]);

  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'pgboss'::regnamespace AND c.relkind IN ('r', 'p')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['pgboss.job_common', 'pgboss.schedule']),
  );
  for (const { name } of tables)
    for (const statement of [
      `INSERT INTO ${name} DEFAULT VALUES`,
      `DELETE FROM ${name}`,
      `TRUNCATE ${name}`,
      `SELECT FROM ${name} FOR UPDATE`,
    ])
      expect([statement, await attempt(statement)]).toEqual([statement, REFUSED]);
  expect(await attempt("UPDATE pgboss.job SET data = '{}'")).toBe(REFUSED);
  expect(await attempt("SELECT pgboss.create_queue('ours', '{}')")).toBe(REFUSED);
  expect(await attempt("SELECT pgboss.delete_queue('scheduled')")).toBe(REFUSED);
  expect(await attempt('SELECT app.take_over_events()')).toBe(REFUSED);
});
