import { readFile } from 'node:fs/promises';
import { createDirectory, createSubscriptions } from '@copydesk/simulators/world';
import pg from 'pg';
import type { Keyring } from '../platform/secrets/keyring.ts';
import type { SealingBox } from '../platform/secrets/worker-box.ts';
import { copyLines, copyRows } from './copy-rows.ts';
import { createDemoAddresses } from './demo-wallets.ts';
import { liftChecks } from './lift-checks.ts';
import { DIRECTORY_TABLES } from './rows/directory.ts';
import { SUBSCRIPTION_TABLES } from './rows/subscriptions.ts';
import { seedBot } from './seed-bot.ts';
import { seedPools } from './seed-pools.ts';
import { prepareTraders, type World } from './trader-lines.ts';

const TRADERS = 600;
/** Traders whose rows are written while the next ones are generated: neither waits for the other. */
const BATCH = 1_000;
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
    const world: World = { count: Math.round(TRADERS * scale), hour, readAt: now, hasHistory, keyring };
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

async function load(client: pg.Client, world: World, onProgress: (line: string) => void): Promise<void> {
  const { count, hour, readAt } = world;
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
  const depositAddress = createDemoAddresses();
  const prepare = (from: number) => prepareTraders(world, directory, depositAddress, from, BATCH);
  let next = prepare(1);
  for (let from = 1; from <= count; from += BATCH) {
    const tables = await next;
    next = prepare(from + BATCH);
    for (const { table, columns, lines } of tables) await copyLines(client, table, columns, lines);
  }

  onProgress('computing payouts');
  await client.query(await statement('./settle-payables.sql'));
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
