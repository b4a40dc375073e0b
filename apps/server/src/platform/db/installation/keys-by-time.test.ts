import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

test.each([
  ['of this PostgreSQL', 'app.uuid_by_time()'],
  // The body for PostgreSQL 15 to 17, as in the migration.
  [
    'of earlier ones',
    `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
      52, 1), 53, 1), 'hex')::uuid`,
  ],
])('keys %s have version 7, the time of the clock, and random bits', async (_name, expression) => {
  const before = Date.now();
  const rows = await asOwner<{ id: string }>(
    database.ownerUrl,
    `SELECT (${expression})::text AS id FROM generate_series(1, 100)`,
  );
  for (const { id } of rows) {
    expect(id).toMatch(VERSION_7);
    // The clock of the server and ours are the same machine's.
    expect(Math.abs(timeOf(id) - before)).toBeLessThan(60_000);
  }
  expect(new Set(rows.map(({ id }) => id.slice(-12))).size).toBe(100);
});

test('tables that grow have keys by time; those of people, sessions and tokens are random', async () => {
  const rows = await asOwner<{ name: string; is_by_time: boolean }>(
    database.ownerUrl,
    `SELECT attrelid::regclass::text AS name, pg_get_expr(adbin, adrelid) LIKE '%uuid_by_time%' AS is_by_time
     FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
     WHERE pg_get_expr(adbin, adrelid) ~ 'uuid' AND attrelid::regclass::text NOT LIKE 'pgboss.%' ORDER BY 1`,
  );
  const byTime = rows.flatMap(({ name, is_by_time }) => (is_by_time ? [name] : []));
  expect(byTime).toEqual([
    ...[
      'attention_mark',
      'backup_record',
      'billing_mail',
      'bulk_act',
      'closed_position',
      'deposit',
      'distribution',
      'exchange_bot_message',
      'export',
      'harvest_resolution',
      'harvest_run',
      'invoice',
      'invoice_deduction',
      'journal',
      'ledger_account',
      'ledger_reservation',
    ],
    ...[
      'message',
      'money_order',
      'note',
      'open_position',
      'payable',
      'payment',
      'payout',
      'payout_run',
      'person_message',
      'pool_arrival',
      'pool_arrival_decision',
      'pool_deposit',
      'pool_evidence',
      'pool_withdrawal',
      'saga_event',
      'transfer',
      'transfer_attempt',
      'transfer_stop',
      'transfer_stop_lift',
    ],
  ]);
  const random = rows.flatMap(({ name, is_by_time }) => (is_by_time ? [] : [name]));
  expect(random).toEqual(
    expect.arrayContaining(['identity.session', 'identity.service_token', 'identity."user"', 'trader']),
  );
});
