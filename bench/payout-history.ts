import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { deepCursor } from './support/deep-cursor.ts';
import { latency, load } from './support/load.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const TRADERS = 1_000;
const OPERATIONS = 1_000_000;
const CLIENTS = 2;
const SECONDS = 2;
const LIST = '/api/sweep-operations/admin/all?limit=20';
const SUMMARY = '/api/sweep-operations/summary?';
const BY_AMOUNT_TOO = ['community', 'status failed', 'address'];
const PEOPLE = ['super', 'staff', 'staff-multi'] as const;

/** The payout history at 1,000,000 payouts: each order and each filter, near and far. */
export async function benchPayoutHistory(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  console.log(`loading ${OPERATIONS.toLocaleString('en-US')} payouts`);
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS);
  await addPayouts(databaseUrl);
  const api = await startApi(databaseUrl, dataDir);
  try {
    for (const who of PEOPLE) await measure(api, who, report);
  } finally {
    await api.stop();
  }
}

async function measure(api: RunningApi, who: (typeof PEOPLE)[number], report: Report): Promise<void> {
  const token = await signIn(api.url, who);
  const run = async (what: string, query: string, wanted = '') => {
    const paths = [`${LIST}${query}`, `${SUMMARY}${withoutOrder(query)}`];
    const coldMs = await firstAnswers(api, paths, token);
    const result = await load({ url: api.url, paths, token, clients: CLIENTS, seconds: SECONDS });
    const measured = result.requestsPerSecond > 0 ? latency(result) : 'FAILED, nothing was answered';
    report.row(`payouts, ${what}, ${who}`, `first ${coldMs.toFixed(0)} ms; ${measured}`, wanted);
  };
  await load({ url: api.url, paths: [LIST], token, clients: CLIENTS, seconds: 1 });
  await run('first page and summary', '', 'p95 ≤ 50 ms');
  for (const order of ['created_at', 'amount', 'status'])
    for (const direction of ['asc', 'desc'])
      await run(`by ${order} ${direction}`, `&orderBy=${order}&orderDir=${direction}`);
  await run('offset 10,000', '&offset=10000');
  for (const order of ['created_at', 'amount', 'status']) {
    const query = `&orderBy=${order}`;
    // Every provider has a part of at least a quarter of them.
    const cursor = await deepCursor(api.url, `${LIST}${query}`, token, 200_000);
    await run(`behind 200,000 by ${order}`, `${query}&cursor=${cursor}`);
  }
  for (const [name, filter] of Object.entries(await filtersOf(api, token))) {
    await run(name, `&${filter}`);
    if (BY_AMOUNT_TOO.includes(name)) await run(`${name} by amount`, `&${filter}&orderBy=amount`);
  }
}

const withoutOrder = (query: string) =>
  query.replace(/&(orderBy|orderDir|offset|cursor)=[\w-]+/g, '').slice(1);

/** The time of page and summary before their sums are cached. */
async function firstAnswers({ url }: RunningApi, paths: string[], token: string): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await answer.text();
    }),
  );
  return performance.now() - startedAt;
}

async function filtersOf({ url }: RunningApi, token: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}${LIST}&status=distributed`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as {
    data: {
      recipient_address: string;
      distribute_transaction_hash: string;
      community: { id: string } | null;
    }[];
  };
  const row = data.find(({ community }) => community);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return {
    community: `community_id=${row?.community?.id}`,
    'recipient type': 'recipient_type=community',
    'rare recipient type': 'recipient_type=tip',
    'status distributed': 'status=distributed',
    'status failed': 'status=failed',
    'the last 30 days': `created_at_from=${daysAgo(30)}`,
    'half of the days': `created_at_from=${daysAgo(135)}`,
    hash: `search=${row?.distribute_transaction_hash}`,
    address: `search=${row?.recipient_address}`,
    'two characters': 'search=0xab',
    'type, status and 30 days': `recipient_type=mark&status=distributed&created_at_from=${daysAgo(30)}`,
  };
}

/**
 * Over nine months in all communities. Each has two payables, of the same provider or, one in five, of two. Their
 * invoices do not matter here: one invoice serves all.
 */
async function addPayouts(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  client.on('error', () => {}); // the failing statement reports it
  await client.query(
    "SELECT set_config('copydesk.scope', 'all', false), set_config('copydesk.bulk', 'on', false)",
  );
  await client.query("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'");
  await client.query('DROP INDEX payable_once');
  // Skips two million foreign key checks.
  const { rows: keys } = await client.query<{ name: string }>(
    "SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND conrelid = 'payable'::regclass",
  );
  for (const { name } of keys) await client.query(`ALTER TABLE payable DROP CONSTRAINT ${name}`);
  await client.query(
    `INSERT INTO invoice (trader_id, community_id, amount_units, payment_address, commission_rate, split, due_at)
     SELECT id, community_id, 1, coalesce(deposit_address, '0x' || repeat('1', 40)), 0.5, '[]', now() FROM trader LIMIT 1`,
  );
  await client.query(
    `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units,
       consolidate_transaction_hash, distribute_transaction_hash, created_at, updated_at)
     SELECT c.ids[1 + k % cardinality(c.ids)], s.status,
       (ARRAY['mark', 'community', 'community_referrer', 'trader_referrer', 'hexmount', 'sixk', 'mark', 'tip'])
         [CASE WHEN k % 997 = 0 THEN 8 ELSE 1 + (k / 7) % 7 END],
       '0x' || left(md5((k % 5000)::text) || md5('a'), 40), (20 + k % 99000) * 10::numeric ^ 16,
       '0x' || md5(n::text) || md5('c' || n), CASE WHEN s.status = 'distributed' THEN '0x' || md5('d' || n) || md5(n::text) END,
       t.at, t.at + interval '10 minutes'
     FROM generate_series(1, ${OPERATIONS}) n
     CROSS JOIN LATERAL (SELECT abs(hashint8(n)::bigint) AS k) h
     CROSS JOIN LATERAL (SELECT CASE k % 50 WHEN 1 THEN 'failed' WHEN 2 THEN 'pending' WHEN 3 THEN 'consolidated' ELSE 'distributed' END AS status) s
     CROSS JOIN LATERAL (SELECT now() - make_interval(secs => n * 23 + k % 1000) AS at) t
     CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM community) c`,
  );
  await client.query('ANALYZE payout');
  await client.query(
    `INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units,
       payout_id)
     SELECT i.id, o.community_id, p.id, o.recipient_type, o.recipient_address, (o.amount_units / 2)::numeric(38, 0), o.id
     FROM payout o
     CROSS JOIN LATERAL (SELECT abs(hashtext(o.id::text)) AS k) h
     CROSS JOIN (SELECT array_agg(id ORDER BY lower(name)) AS ids FROM provider) all_of
     CROSS JOIN generate_series(0, 1) part
     CROSS JOIN LATERAL (SELECT all_of.ids[1 + (k + part * (k % 5 = 0)::int) % cardinality(all_of.ids)] AS id) p
     CROSS JOIN (SELECT id FROM invoice LIMIT 1) i
     WHERE o.id NOT IN (SELECT payout_id FROM payable WHERE payout_id IS NOT NULL)`,
  );
  await client.query('ANALYZE payout, payable');
  await client.query('SELECT app.refresh_payouts(ARRAY(SELECT id FROM payout))');
  for (const table of ['payout', 'payable', 'payout_provider', 'payout_sum'])
    await client.query(`VACUUM ANALYZE ${table}`);
  await client.end();
}
