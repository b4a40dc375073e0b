import { readFile } from 'node:fs/promises';
import { createDirectory, createHistory, createTrader, type DemoTrader } from '@copydesk/simulators/world';
import pg from 'pg';
import type { Keyring } from '../platform/crypto/keyring.ts';
import { copyRows } from './copy-rows.ts';
import { createDemoAddresses } from './demo-wallets.ts';
import { liftChecks } from './lift-checks.ts';
import { CREDENTIAL_COLUMNS, credentialRows } from './rows/credentials.ts';
import { DIRECTORY_TABLES } from './rows/directory.ts';
import { INVOICE_COLUMNS, invoiceRow, POSITION_COLUMNS, positionRow } from './rows/history.ts';
import { OPEN_POSITION_COLUMNS, openPositionRows } from './rows/open-positions.ts';
import { ACCOUNT_COLUMNS, accountRows, TRADER_COLUMNS, traderRows } from './rows/traders.ts';

const TRADERS = 600;
/** What holds most of the rows. */
const FILLED = ['trader', 'exchange_account', 'open_position', 'invoice', 'closed_position', 'payable'];

export interface SeedOptions {
  /** Multiplies the traders, and with them everything that is theirs. */
  scale?: number;
  /** False leaves out positions and invoices, for a quick load of many traders. */
  hasHistory?: boolean;
  /** Encrypts the credentials of the demo accounts; without it they have none, and nobody can read them. */
  keyring?: Keyring;
  /** How often accounts will be read: first reads are spread over it. */
  readingEveryMs?: number;
  onProgress?: (line: string) => void;
  now?: Date;
}

/**
 * Loads the demo world into an empty, migrated database: all of it in one transaction, or nothing. A database
 * that has a provider already is left as it is. The same scale and hour give the same world.
 * @param ownerUrl connection of the owner of the schema
 */
export async function seedDemoWorld(
  ownerUrl: string,
  options: SeedOptions = {},
): Promise<{ seeded: boolean }> {
  const { scale = 1, hasHistory = true, keyring, readingEveryMs = 480_000 } = options;
  const { onProgress = () => {}, now = new Date() } = options;
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-seed' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('copydesk.seed'))");
    await client.query(
      "SET LOCAL copydesk.scope = 'all'; SET LOCAL copydesk.bulk = 'on'; SET LOCAL jit = off",
    );
    const { rowCount } = await client.query('SELECT FROM provider LIMIT 1');
    if (rowCount) {
      await client.query('ROLLBACK');
      return { seeded: false };
    }
    await forceRowSecurity(client, false);
    const world = { count: Math.round(TRADERS * scale), hour, readAt: now, hasHistory, keyring };
    const putBack = await liftChecks(client, FILLED);
    await load(client, world, onProgress);
    onProgress('computing payouts');
    await client.query(await readFile(new URL('./settle-payables.sql', import.meta.url), 'utf8'));
    onProgress('building indexes');
    await putBack();
    await client.query('ANALYZE');
    onProgress('computing sums and pools');
    const everySeconds = String(Math.ceil(readingEveryMs / 1_000));
    await client.query("SELECT set_config('copydesk.reading_every_seconds', $1, true)", [everySeconds]);
    await client.query(await readFile(new URL('./settle.sql', import.meta.url), 'utf8'));
    await forceRowSecurity(client, true);
    await client.query('INSERT INTO demo_world (seeded_at, traders) VALUES ($1, $2)', [hour, world.count]);
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    return { seeded: true };
  } finally {
    await client.end();
  }
}

interface World {
  count: number;
  hour: Date;
  readAt: Date;
  hasHistory: boolean;
  keyring: Keyring | undefined;
}

async function load(client: pg.Client, world: World, onProgress: (line: string) => void): Promise<void> {
  const { count, hour, readAt, hasHistory, keyring } = world;
  const directory = createDirectory(hour);
  for (const { table, columns, rows } of DIRECTORY_TABLES)
    await copyRows(client, table, columns, rows(directory));

  function* traders(): Generator<DemoTrader> {
    for (let index = 1; index <= count; index++) yield createTrader(index, directory, hour);
  }
  onProgress(`loading ${count.toLocaleString('en-US')} traders`);
  const depositAddress = createDemoAddresses();
  await copyRows(client, 'trader', TRADER_COLUMNS, traderRows(traders(), depositAddress));
  await copyRows(
    client,
    'exchange_account',
    ACCOUNT_COLUMNS,
    accountRows(traders(), readAt, keyring !== undefined),
  );
  if (keyring)
    await copyRows(client, 'exchange_credential', CREDENTIAL_COLUMNS, credentialRows(traders(), keyring));

  await copyRows(client, 'open_position', OPEN_POSITION_COLUMNS, openPositionRows(traders(), hour, readAt));

  if (!hasHistory) return;
  // Each trader's history is made twice, once for either table: cheaper than holding all of it.
  function* histories() {
    for (const trader of traders()) yield { trader, ...createHistory(trader, directory.providers, hour) };
  }
  onProgress('loading invoices and closed positions');
  await copyRows(
    client,
    'invoice',
    INVOICE_COLUMNS,
    flat(histories(), (h) => h.invoices.map((i) => invoiceRow(h.trader, i, depositAddress))),
  );
  await copyRows(
    client,
    'closed_position',
    POSITION_COLUMNS,
    flat(histories(), (h) => h.positions.map((p) => positionRow(h.trader, p))),
  );
}

function* flat<T, R>(items: Iterable<T>, rows: (item: T) => R[]): Generator<R> {
  for (const item of items) yield* rows(item);
}

/**
 * COPY does not work where row-level security binds the one who copies. The owner lifts it from itself, and puts
 * it back before the transaction ends; nobody else sees the tables in between.
 */
async function forceRowSecurity(client: pg.Client, isForced: boolean): Promise<void> {
  await client.query(`DO $$
    DECLARE scoped regclass;
    BEGIN
      FOR scoped IN SELECT oid FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s ${isForced ? '' : 'NO '}FORCE ROW LEVEL SECURITY', scoped);
      END LOOP;
    END $$`);
}
