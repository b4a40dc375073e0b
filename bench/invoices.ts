import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { deepCursor } from './support/deep-cursor.ts';
import { latency, load } from './support/load.ts';
import { type RunningApi, signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const INVOICES_PER_TRADER = 10;
const CLIENTS = 2;
const SECONDS = 3;
const GROUPS = '/api/invoices/admin/groups?limit=10';
const LIST = '/api/invoices/admin/all?limit=50';
const ORDERS = ['created_at', 'updated_at', 'amount'];
const ADDED_UP = ['exchange', 'status paid', 'the last 30 days', 'half of the days', 'amounts of a tenth'];
const HARD_ORDERS = {
  'by amount': 'orderBy=amount',
  'the oldest first': 'orderDir=asc',
  deep: 'offset=10000',
};

/** The invoices screen at 10,000 and at 1,000,000 invoices: groups and lists, filtered, near and far. */
export async function benchInvoices(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const small = await measure(ownerUrl, dataDir, 1_000, report);
  const large = await measure(ownerUrl, dataDir, 100_000, report);
  report.row('first page of groups, 100 times the invoices', `p95 ${(large / small).toFixed(2)}x`, '≤ 3x');
}

async function measure(ownerUrl: string, dataDir: string, traders: number, report: Report): Promise<number> {
  const invoices = traders * INVOICES_PER_TRADER;
  const size = `${invoices.toLocaleString('en-US')} invoices`;
  console.log(`loading ${size}`);
  const databaseUrl = await benchDatabase(ownerUrl, traders);
  await addInvoices(databaseUrl);
  const api = await startApi(databaseUrl, dataDir);
  const run = async (what: string, paths: string[], token: string, wanted = '') => {
    const coldMs = await firstAnswer(api, paths[0] ?? '', token);
    const result = await load({ url: api.url, paths, token, clients: CLIENTS, seconds: SECONDS });
    const measured = result.requestsPerSecond > 0 ? latency(result) : 'FAILED, nothing was answered';
    report.row(`${what}, ${size}`, `first ${coldMs.toFixed(0)} ms; ${measured}`, wanted);
    return result.requestsPerSecond > 0 ? result.p95Ms : Number.POSITIVE_INFINITY;
  };
  try {
    const token = await signIn(api.url, 'super');
    const first = ['all', 'unpaid', 'paid', 'archived'].flatMap((tab) =>
      ORDERS.map((order) => `${GROUPS}&tab=${tab}&orderBy=${order}`),
    );
    await load({ url: api.url, paths: first, token, clients: CLIENTS, seconds: 2 });
    const p95Ms = await run('first page of groups with counts', first, token, 'p95 ≤ 80 ms');
    for (const who of ['staff', 'staff-multi'])
      await run(`the same for ${who}`, [`${GROUPS}&tab=unpaid`], await signIn(api.url, who), 'p95 ≤ 200 ms');
    const behind = async (list: string, rows: number) =>
      `${list}&cursor=${await deepCursor(api.url, list, token, Math.floor(rows / 10_000) * 10_000)}`;
    if (traders >= 20_000)
      await run(
        'deep page of groups',
        [await behind(`${GROUPS}&tab=all`, traders / 2)],
        token,
        'p95 ≤ 200 ms',
      );
    const filters = Object.entries(await filtersOf(api, token));
    for (const [name, filter] of filters)
      await run(`groups filtered by ${name}`, [`${GROUPS}&${filter}`], token, 'p95 ≤ 200 ms');
    // Queries that cannot stop after the first rows: each page adds up all matches.
    for (const [name, filter] of filters.filter(([name]) => ADDED_UP.includes(name)))
      for (const [how, order] of Object.entries(HARD_ORDERS))
        await run(`groups filtered by ${name}, ${how}`, [`${GROUPS}&${filter}&${order}`], token);
    for (const [name, filter] of filters) await run(`list filtered by ${name}`, [`${LIST}&${filter}`], token);
    await run(
      'first page of the list',
      [...ORDERS, 'status'].map((order) => `${LIST}&orderBy=${order}`),
      token,
    );
    for (const order of traders >= 20_000 ? ORDERS : [])
      await run(
        `deep page of the list by ${order}`,
        [await behind(`${LIST}&orderBy=${order}`, invoices / 2)],
        token,
      );
    return p95Ms;
  } finally {
    await api.stop();
  }
}

/** The time of the first request, before its counts are cached. */
async function firstAnswer({ url }: RunningApi, path: string, token: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  return performance.now() - startedAt;
}

async function filtersOf({ url }: RunningApi, token: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/invoices/admin/all?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as {
    data: { trader_id: string; community_id: string; provider: { id: string } }[];
  };
  const [row] = data;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return {
    'part of a reference number': 'search=4711',
    trader: `trader_id=${row?.trader_id}`,
    community: `community_id=${row?.community_id}`,
    provider: `provider_id=${row?.provider.id}`,
    exchange: 'exchange=bybit',
    'status pending': 'status=pending',
    'status paid': 'status=paid',
    'type regular': 'invoice_type=regular',
    overdue: 'is_overdue=true',
    'not overdue': 'is_overdue=false',
    'the last 30 days': `created_at_from=${daysAgo(30)}`,
    'half of the days': `created_at_from=${daysAgo(135)}`,
    'all days': `created_at_from=${daysAgo(1_000)}`,
    'amounts of a tenth': 'min_amount=900',
    'most amounts': 'min_amount=100',
    'exchange and 30 days': `exchange=bybit&created_at_from=${daysAgo(30)}`,
  };
}

/** Ten invoices a trader, over nine months: one of twenty open, one of ten cancelled or archived; 2 % without reference. */
async function addInvoices(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "SELECT set_config('copydesk.scope', 'all', false), set_config('copydesk.bulk', 'on', false)",
  );
  await client.query("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'");
  await client.query('UPDATE trader SET reference_number = NULL WHERE deposit_index % 50 = 0');
  await client.query(
    `INSERT INTO invoice (trader_id, community_id, provider_id, invoice_type, exchange, amount_units, paid_units, status,
       settled_by, paid_at, is_archived, payment_address, commission_rate, split, due_at, created_at, updated_at)
     SELECT t.id, t.community_id, t.selected_provider_id, CASE WHEN k % 25 = 3 THEN 'exchange_bot' ELSE 'regular' END,
       (ARRAY['bybit', 'binance', 'okx', 'kucoin', 'hyperliquid'])[1 + (t.deposit_index + (n > 7)::int) % 5],
       (10 + k % 990) * 10::numeric ^ 18, CASE WHEN s.status = 'paid' THEN (10 + k % 990) * 10::numeric ^ 18 ELSE 0 END,
       s.status, CASE WHEN s.status = 'paid' THEN 'chain' END, CASE WHEN s.status = 'paid' THEN c.at + interval '1 day' END,
       k % 20 = 5, t.deposit_address, 0.5,
       '[{"units": "700000000000000000", "recipient_type": "mark"}, {"units": "300000000000000000", "recipient_type": "community"}]',
       c.at + interval '3 days', c.at, c.at + CASE WHEN s.status = 'paid' THEN interval '1 day' ELSE interval '0' END
     FROM trader t
     CROSS JOIN generate_series(1, ${INVOICES_PER_TRADER}) n
     CROSS JOIN LATERAL (SELECT abs(hashint8(t.deposit_index * 64 + n)::bigint) AS k) h
     CROSS JOIN LATERAL (SELECT CASE WHEN k % 20 = 1 THEN 'pending' WHEN k % 20 = 2 THEN 'cancelled' ELSE 'paid' END AS status) s
     CROSS JOIN LATERAL (SELECT now() - make_interval(secs => n * 2300000 - k % 2000000) AS at) c`,
  );
  await client.query('SELECT app.refresh_invoice_sums(ARRAY(SELECT id FROM trader))');
  for (const table of ['invoice', 'invoice_part', 'invoice_group', 'trader'])
    await client.query(`VACUUM ANALYZE ${table}`);
  await client.end();
}
