import { EXCHANGES } from '@copydesk/domain/catalogue';
import { TRADER_STATUSES } from '@copydesk/domain/traders';
import pg from 'pg';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemoWorld } from '../../apps/server/src/demo/seed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { asOwner } from '../support/owner.ts';

const now = new Date();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedDemoWorld(database.ownerUrl, { now });
}, 60_000);
afterAll(() => database.drop());

/** Counts by what an expression says of each row. */
async function countBy(table: string, expression: string): Promise<Record<string, number>> {
  const found = await asOwner<{ key: string; n: number }>(
    database.ownerUrl,
    `SELECT (${expression})::text AS key, count(*)::int AS n FROM ${table} GROUP BY 1`,
  );
  return Object.fromEntries(found.map(({ key, n }) => [key, n]));
}
const count = async (table: string) => (await countBy(table, "'all'")).all ?? 0;

test('4 providers, and 12 communities of which 2 are archived', async () => {
  expect(await count('provider')).toBe(4);
  expect(await countBy('community', 'is_archived')).toEqual({ false: 10, true: 2 });
});

test('600 traders of every status, some without an account and some with several', async () => {
  expect(await count('trader')).toBe(600);
  const accounts = await countBy('trader', "status || ' ' || least(account_count, 2)");
  const wanted = TRADER_STATUSES.flatMap((status) => [0, 1, 2].map((n) => `${status} ${n}`));
  expect(Object.keys(accounts).sort()).toEqual(wanted.sort());
});

test('every exchange has many accounts, and a few balances are not known', async () => {
  const accounts = await countBy('exchange_account', 'exchange');
  expect(Object.keys(accounts).sort()).toEqual([...EXCHANGES].sort());
  for (const exchange of EXCHANGES) expect(accounts[exchange]).toBeGreaterThan(50);
  expect((await countBy('exchange_account', 'equity IS NULL')).true).toBeGreaterThan(0);
});

test('the aggregates of a trader are those of its accounts', async () => {
  const wrong = await asOwner(
    database.ownerUrl,
    `SELECT t.id FROM trader t LEFT JOIN exchange_account a ON a.trader_id = t.id GROUP BY t.id
     HAVING t.account_count <> count(a.id) OR t.aum - t.pool_capital IS DISTINCT FROM coalesce(sum(a.equity), CASE WHEN t.pool_capital > 0 THEN 0 END)
       OR t.pool_capital <> trunc((SELECT coalesce(sum(m.capital_units), 0) FROM pool_member m WHERE m.trader_id = t.id) / 10::numeric ^ 18, 8)`,
  );
  expect(wrong).toEqual([]);
});

test('about 3,000 invoices in every state', async () => {
  const total = await count('invoice');
  expect(total).toBeGreaterThan(2500);
  expect(total).toBeLessThan(3500);
  const states = await countBy(
    'invoice',
    `CASE WHEN status = 'paid' THEN 'paid ' || settled_by
          WHEN status = 'pending' AND paid_units > 0 THEN 'part paid'
          WHEN status = 'pending' AND due_at < now() THEN 'overdue' ELSE status END`,
  );
  expect(Object.keys(states).sort()).toEqual(
    ['cancelled', 'overdue', 'paid chain', 'paid manual', 'part paid', 'pending'].sort(),
  );
  expect((await countBy('invoice', 'is_archived')).true).toBeGreaterThan(0);
});

test('the shares of an invoice paid on chain sum to its amount', async () => {
  const wrong = await asOwner(
    database.ownerUrl,
    `SELECT i.id FROM invoice i LEFT JOIN payable p ON p.invoice_id = i.id GROUP BY i.id
     HAVING coalesce(sum(p.amount_units), 0) <> CASE i.settled_by WHEN 'chain' THEN i.paid_units ELSE 0 END`,
  );
  expect(wrong).toEqual([]);
});

test('about 500 imported payouts in final states, each the sum of its payables', async () => {
  const total = await count('payout');
  expect(total).toBeGreaterThan(400);
  expect(total).toBeLessThan(600);
  expect(Object.keys(await countBy('payout', 'status')).sort()).toEqual(['distributed', 'failed']);
  const wrong = await asOwner(
    database.ownerUrl,
    `SELECT s.id FROM payout s LEFT JOIN payable p ON p.payout_id = s.id GROUP BY s.id
     HAVING s.amount_units IS DISTINCT FROM sum(p.amount_units)`,
  );
  expect(wrong).toEqual([]);
});

test('archived communities have neither AUM nor debts; one community can be archived, and one deleted', async () => {
  const communities = await asOwner<{
    name: string;
    is_archived: boolean;
    aum: number;
    owed: number;
    traders: number;
  }>(
    database.ownerUrl,
    `SELECT c.name, c.is_archived,
       (SELECT coalesce(sum(t.aum), 0)::float FROM trader t WHERE t.community_id = c.id) AS aum,
       (SELECT count(*)::int FROM trader t WHERE t.community_id = c.id) AS traders,
       (SELECT count(*)::int FROM payable y WHERE y.community_id = c.id AND y.paid_at IS NULL) AS owed
     FROM community c`,
  );
  for (const { is_archived, aum, owed } of communities) if (is_archived) expect([aum, owed]).toEqual([0, 0]);
  const idle = communities.filter(({ is_archived, aum, owed }) => !is_archived && aum === 0 && owed === 0);
  expect(idle.map(({ traders }) => traders > 0).sort()).toEqual([false, true]);
});

test('4 pools with balances, one of them harvesting, and books that agree', async () => {
  expect(await count('pooled_account')).toBe(4);
  expect(await countBy('harvest_cycle', 'status')).toMatchObject({ harvesting: 1 });
  const rows = await asOwner<{ capital: string; money: string; members: string }>(
    database.ownerUrl,
    `SELECT s.capital_units AS capital,
      (SELECT sum(b.posted) FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
       WHERE a.owner_id = p.id AND a.kind = CASE h.status WHEN 'harvesting' THEN 'pool_proxy' ELSE 'pool_exchange' END)
        AS money,
      (SELECT sum(m.capital_units) FROM pool_member m WHERE m.pooled_account_id = p.id AND m.deposit_address IS NOT NULL)
        AS members
    FROM pooled_account p JOIN pool_sum s ON s.pooled_account_id = p.id
    JOIN harvest_cycle h ON h.pooled_account_id = p.id AND h.ended_at IS NULL WHERE p.proxy_address IS NOT NULL`,
  );
  expect(rows).toHaveLength(4);
  for (const { capital, money, members } of rows) {
    expect(BigInt(capital)).toBeGreaterThan(0n);
    expect({ money, members }).toEqual({ money: capital, members: capital });
  }
});

/** What triggers keep, by the statement that reads it. */
const KEPT = [
  'SELECT id, aum, aum_read_at, account_count, pool_capital FROM trader',
  'SELECT * FROM trader_provider',
  'SELECT * FROM trader_text',
  'SELECT * FROM invoice_part',
  'SELECT * FROM invoice_group',
  'SELECT payout_id, provider_id, provider_ids, status, amount_units FROM payout_provider',
  'SELECT * FROM payout_sum',
  'SELECT * FROM closed_position_day',
  'SELECT * FROM pool_provider_sum WHERE member_count > 0',
  'SELECT * FROM pool_set_sum WHERE member_count > 0',
];

async function digestsOfKept(client: pg.Client): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const rows of KEPT) {
    const { rows: digest } = await client.query(
      `SELECT count(*)::int, md5(string_agg(r::text, E'\\n' ORDER BY r::text)) FROM (${rows}) r`,
    );
    found[rows] = digest[0];
  }
  return found;
}

test('the sums that loading computes at its end are those that triggers would have kept', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query("BEGIN; SET LOCAL copydesk.scope = 'all'");
    const loaded = await digestsOfKept(client);
    await client.query(`
      UPDATE trader SET aum = NULL, aum_read_at = NULL, account_count = 0, pool_capital = 0;
      DELETE FROM trader_provider; DELETE FROM trader_text;
      DELETE FROM invoice_part; DELETE FROM invoice_group;
      DELETE FROM payout_provider; DELETE FROM payout_sum;
      CREATE TEMP TABLE position AS SELECT * FROM closed_position;
      ALTER TABLE closed_position DISABLE TRIGGER USER;
      DELETE FROM closed_position;
      ALTER TABLE closed_position ENABLE TRIGGER USER;
      DELETE FROM closed_position_day`);
    // What an ordinary write sets off, once for every row.
    await client.query(`
      UPDATE trader SET name = coalesce(name, '') || '!';
      UPDATE trader SET name = nullif(left(name, -1), '');
      UPDATE exchange_account SET equity = equity, acc_uid = acc_uid;
      UPDATE invoice SET status = status;
      UPDATE payout SET status = status;
      INSERT INTO closed_position SELECT * FROM position`);
    expect(await digestsOfKept(client)).toEqual(loaded);
  } finally {
    await client.end();
  }
}, 60_000);

/** Accounts whose first read is due within so many minutes, of all. */
const dueWithin = async (ownerUrl: string, minutes: number) => {
  const [row] = await asOwner<{ share: number }>(
    ownerUrl,
    `SELECT avg((due_at < finished_at + make_interval(mins => ${minutes}))::int)::float AS share FROM account_reading`,
  );
  return row?.share;
};

test('the same hour gives the same world, and accounts are read as often as specified', async () => {
  const again = await createTestDatabase();
  try {
    const readingEveryMs = 24 * 3_600_000;
    expect(await seedDemoWorld(again.ownerUrl, { now, readingEveryMs })).toEqual({ seeded: true });
    expect(await dueWithin(database.ownerUrl, 10)).toBe(1);
    expect(await dueWithin(again.ownerUrl, 12 * 60)).toBeCloseTo(0.5, 1);
    for (const rows of [
      'SELECT * FROM trader',
      'SELECT id, trader_id, provider_id, exchange, acc_uid, equity FROM exchange_account',
      'SELECT * FROM invoice',
      'SELECT * FROM closed_position',
      'SELECT invoice_id, recipient_type, recipient_address, amount_units FROM payable',
      'SELECT community_id, recipient_type, recipient_address, amount_units, status FROM payout',
    ]) {
      const digest = `SELECT md5(string_agg(r::text, '' ORDER BY r::text)) FROM (${rows}) r`;
      const worlds = await Promise.all([database, again].map((one) => asOwner(one.ownerUrl, digest)));
      expect(worlds[0], rows).toEqual(worlds[1]);
    }
  } finally {
    await again.drop();
  }
}, 60_000);

test('an existing world is left alone, and row-level security is in force again', async () => {
  expect(await seedDemoWorld(database.ownerUrl, { now })).toEqual({ seeded: false });
  expect(await count('trader')).toBe(600);
  const open = await asOwner(
    database.ownerUrl,
    "SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity AND relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  // Functions read and write them as their owner: no condition of a policy may keep them from the indexes.
  expect(open.map(({ relname }) => relname)).toEqual([
    'audit_order',
    'audit_seal',
    'audit_text',
    'audit_unsealed',
    'trader_text',
  ]);
});

test('addresses of people are written with their checksum: one recipient looks like one', async () => {
  const columns = [
    ['payout', 'recipient_address'],
    ['payable', 'recipient_address'],
    ['trader', 'external_wallet_address'],
    ['community', 'external_wallet_address'],
    ['community', 'referrer_wallet_address'],
    ['provider', 'payout_address'],
    ['platform_recipient', 'address'],
  ] as const;
  for (const [table, column] of columns) {
    const found = await asOwner<{ address: string }>(
      database.ownerUrl,
      `SELECT DISTINCT ${column} AS address FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    expect(found.length, table).toBeGreaterThan(0);
    for (const { address } of found) expect(address, table).toBe(getAddress(address));
  }
});
