import { readFile } from 'node:fs/promises';
import {
  createDirectory,
  createHistory,
  createSubscriptions,
  createTrader,
} from '@copydesk/simulators/world';
import pg from 'pg';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { SealingBox } from '../platform/secrets/worker-box.ts';
import { copyLines, copyRows, prepareLines } from './copy-rows.ts';
import { createDemoAddresses } from './demo-wallets.ts';
import { liftChecks } from './lift-checks.ts';
import { CREDENTIAL_COLUMNS, credentialRows } from './rows/credentials.ts';
import { DIRECTORY_TABLES } from './rows/directory.ts';
import { INVOICE_COLUMNS, invoiceRow, POSITION_COLUMNS, positionRow } from './rows/history.ts';
import { OPEN_POSITION_COLUMNS, openPositionRows } from './rows/open-positions.ts';
import { SUBSCRIPTION_TABLES } from './rows/subscriptions.ts';
import { ACCOUNT_COLUMNS, accountRows, TRADER_COLUMNS, traderRows } from './rows/traders.ts';
import { seedBot } from './seed-bot.ts';
import { seedPools } from './seed-pools.ts';

const TRADERS = 600;
/** The tables with most of the rows, from the demo world and from the split of its invoices. */
const LOADED = [
  'trader',
  'exchange_account',
  'exchange_credential',
  'open_position',
  'invoice',
  'closed_position',
  'payout',
  'payable',
];
/** The tables with most of the derived rows. */
const DERIVED = [
  'trader_provider',
  'trader_text',
  'invoice_part',
  'invoice_group',
  'account_reading',
  'closed_position_day',
  'equity_snapshot',
];

export interface SeedOptions {
  /** Multiplies the traders, and all their data with them. */
  scale?: number;
  /** False leaves out positions and invoices, for a quick load of many traders. */
  hasHistory?: boolean;
  /** Encrypts the credentials of the demo accounts; without it they have none and cannot be read. */
  keyring?: Keyring;
  /** Seals the keys of the pools, together with the keyring; without it they have none. */
  box?: SealingBox | null;
  /** The reading interval: first reads are spread over it. */
  readingEveryMs?: number;
  onProgress?: (line: string) => void;
  now?: Date;
}

/**
 * Loads the demo world into an empty, migrated database, all of it in one transaction. A database that already has a
 * provider is left unchanged. The same scale and hour give the same world.
 * @param ownerUrl connection of the owner of the schema
 */
export async function seedDemoWorld(
  ownerUrl: string,
  options: SeedOptions = {},
): Promise<{ seeded: boolean }> {
  const { scale = 1, hasHistory = true, keyring, box, readingEveryMs = 480_000 } = options;
  const { onProgress = () => {}, now = new Date() } = options;
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'copydesk-seed' });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('copydesk.seed'))");
    await client.query(
      "SET LOCAL copydesk.scope = 'all'; SET LOCAL copydesk.bulk = 'on'; SET LOCAL jit = off; SET LOCAL work_mem = '256MB'",
    );
    const { rowCount } = await client.query('SELECT FROM provider LIMIT 1');
    if (rowCount) {
      await client.query('ROLLBACK');
      return { seeded: false };
    }
    const putBackRowSecurity = await liftRowSecurity(client);
    const world = { count: Math.round(TRADERS * scale), hour, readAt: now, hasHistory, keyring };
    const putBackDerived = await liftChecks(client, DERIVED);
    const putBackLoaded = await liftChecks(client, LOADED);
    await load(client, world, onProgress);
    onProgress('building indexes');
    await putBackLoaded();
    await client.query(`ANALYZE ${LOADED.join(', ')}`);
    onProgress('computing sums and pools');
    const everySeconds = String(Math.ceil(readingEveryMs / 1_000));
    await client.query("SELECT set_config('copydesk.reading_every_seconds', $1, true)", [everySeconds]);
    await client.query(await statement('./settle.sql'));
    await seedPools(client, keyring && box ? { keyring, box } : null);
    await seedBot(client, keyring);
    await putBackDerived();
    await client.query(`SELECT app.refresh_traders(members), app.refresh_trader_text(members)
      FROM (SELECT ARRAY(SELECT trader_id FROM pool_member)) m (members)`);
    await client.query('SELECT app.sum_capital_days(min(app.utc_day(created_at))) FROM pool_member');
    await putBackRowSecurity();
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
  for (const { table, columns, rowOf } of SUBSCRIPTION_TABLES)
    await copyRows(
      client,
      table,
      columns,
      createSubscriptions(hour).map((subscription) => rowOf(subscription, readAt)),
    );

  onProgress(`loading ${count.toLocaleString('en-US')} traders`);
  const traders = Array.from({ length: count }, (_, n) => createTrader(n + 1, directory, hour));
  const depositAddress = createDemoAddresses();
  await copyRows(client, 'trader', TRADER_COLUMNS, traderRows(traders, readAt, depositAddress));
  await copyRows(client, 'open_position', OPEN_POSITION_COLUMNS, openPositionRows(traders, hour, readAt));
  if (hasHistory) {
    onProgress('loading invoices and closed positions');
    // A history is generated only once, because that is expensive. Positions wait as text until the invoices are
    // loaded: 300 MB for a million.
    const positions: Buffer[] = [];
    function* invoices() {
      for (const trader of traders) {
        const history = createHistory(trader, directory.providers, hour);
        positions.push(...prepareLines(history.positions.map((position) => positionRow(trader, position))));
        for (const invoice of history.invoices) yield invoiceRow(trader, invoice, depositAddress);
      }
    }
    await copyRows(client, 'invoice', INVOICE_COLUMNS, invoices());
    await copyLines(client, 'closed_position', POSITION_COLUMNS, positions);
  }

  onProgress('computing payouts');
  const payouts = client.query(await statement('./settle-payables.sql'));
  // In parallel with PostgreSQL: keys and secrets of accounts take about as long to generate.
  const accounts = prepareLines(accountRows(traders, readAt, keyring !== undefined));
  const credentials = keyring ? prepareLines(credentialRows(traders, keyring)) : [];
  await payouts;
  await copyLines(client, 'exchange_account', ACCOUNT_COLUMNS, accounts);
  await copyLines(client, 'exchange_credential', CREDENTIAL_COLUMNS, credentials);
}

const statement = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

/**
 * COPY does not work where row-level security binds the copying role. The owner disables it for itself, and restores it
 * before the transaction ends; no other session sees the tables in between.
 */
async function liftRowSecurity(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relrowsecurity AND relforcerowsecurity AND relnamespace = 'public'::regnamespace`,
  );
  const force = (word: 'FORCE' | 'NO FORCE') =>
    client.query(rows.map(({ name }) => `ALTER TABLE ${name} ${word} ROW LEVEL SECURITY`).join('; '));
  await force('NO FORCE');
  return async () => {
    await force('FORCE');
  };
}
