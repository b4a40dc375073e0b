import { EXCHANGE_NAMES, EXCHANGES } from '@copydesk/domain/catalogue';
import { CREDENTIAL_FIELDS } from '@copydesk/domain/trading';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStatements } from '../../apps/server/src/platform/db/statements.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

// The database has the exchanges as rows, the code as a list.

let product: TestApp;
beforeAll(async () => {
  product = await createTestApp({ scale: 0.02 });
});
afterAll(() => product.close());

const owner = <R extends object>(text: string, values: unknown[] = []) =>
  asOwner<R & Record<string, unknown>>(product.ownerUrl, text, values);

test('the rows are the list of the domain', async () => {
  const rows = await owner<{ id: string; name: string }>('SELECT id, name FROM exchange');
  expect(Object.fromEntries(rows.map(({ id, name }) => [id, name]))).toEqual(EXCHANGE_NAMES);
});

test('every column that names an exchange refers to them', async () => {
  const rows = await owner<{ place: string }>(
    `SELECT conrelid::regclass::text AS place FROM pg_constraint
     WHERE contype = 'f' AND confrelid = 'exchange'::regclass ORDER BY 1`,
  );
  // Triggers maintain invoice_part from invoices.
  expect(rows.map(({ place }) => place)).toEqual([
    'account_holder',
    'account_reading',
    'exchange_account',
    'invoice',
  ]);
  const columns = await owner<{ place: string }>(
    `SELECT attrelid::regclass::text AS place FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname = 'exchange' ORDER BY 1`,
  );
  expect(columns.map(({ place }) => place)).toEqual([
    'account_holder',
    'account_reading',
    'exchange_account',
    'invoice',
    'invoice_part',
  ]);
  await expect(
    owner("UPDATE exchange_account SET exchange = 'kraken' WHERE exchange <> 'hyperliquid'"),
  ).rejects.toThrow(/exchange_account_exchange_fkey/);
});

test('no check repeats the list', async () => {
  const rows = await owner<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE contype = 'c' AND pg_get_constraintdef(oid) LIKE '%kucoin%'`,
  );
  expect(rows).toEqual([]);
});

test.each([["'{bybit,kraken}'"], ["'{NULL}'"]])('a provider does not support %s', async (exchanges) => {
  await expect(owner(`UPDATE provider SET supported_exchanges = ${exchanges}`)).rejects.toThrow(
    /exchange that does not exist/,
  );
});

test('every exchange has a cell of its own in the sums of invoices', async () => {
  const rows = await owner<{ cell: string | null }>(
    "SELECT app.invoice_cell('pending', 'regular', id)::text AS cell FROM exchange",
  );
  const cells = rows.map(({ cell }) => cell);
  expect(cells).not.toContain(null);
  expect(new Set(cells).size).toBe(EXCHANGES.length);
});

test('the stored secrets are those of the table of credentials', async () => {
  const [check] = await owner<{ text: string }>(
    `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'exchange_credential_field_check'`,
  );
  const stored = [...(check?.text ?? '').matchAll(/'(\w+)'::text/g)].map(([, field]) => field);
  expect(stored).toEqual(CREDENTIAL_FIELDS);
});

test('the application cannot add an exchange', async () => {
  const insert = createStatements(product.db.pool).query(
    "INSERT INTO exchange (id, name) VALUES ('kraken', 'Kraken')",
  );
  await expect(insert).rejects.toThrow(/permission denied/);
});
