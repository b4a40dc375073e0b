import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { reportInTurns, type Side } from './support/in-turns.ts';
import { startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const SIZES = [
  { traders: 1_000, sales: 10_000 },
  { traders: 40_000, sales: 1_000_000 },
];

/** The screens of a bot with 10,000 and with 1,000,000 orders: a page may cost at most three times as much. */
export async function benchBotSales(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const sides: Side[] = [];
  for (const { traders, sales } of SIZES) {
    console.log(`loading ${sales} orders`);
    const databaseUrl = await benchDatabase(ownerUrl, traders);
    const { bot, buyer } = await fill(databaseUrl, sales);
    sides.push({ api: await startApi(databaseUrl, dataDir), paths: pathsOf(bot, buyer) });
  }
  const [small, large] = sides as [Side, Side];
  try {
    await reportInTurns({ small, large }, report, '≤ 3 times');
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

const pathsOf = (bot: string, buyer: string) => ({
  'orders, the first page': `/api/exchange-bot/${bot}/sales?limit=25`,
  'orders, the last of a thousand': `/api/exchange-bot/${bot}/sales?limit=25&offset=975`,
  'paid orders': `/api/exchange-bot/${bot}/sales?limit=25&status=paid`,
  'cancelled orders': `/api/exchange-bot/${bot}/sales?limit=25&status=cancelled`,
  'open orders': `/api/exchange-bot/${bot}/sales?limit=25&status=pending`,
  'sales of 30 days': `/api/exchange-bot/${bot}/sales/figures`,
  'sales of a year': `/api/exchange-bot/${bot}/sales/figures?days=366`,
  subscribers: `/api/exchange-bot/${bot}/subscribers?limit=25`,
  'orders of a buyer': `/api/exchange-bot/invoices/user/${buyer}`,
  'invoices of bots': '/api/invoices/admin/all?limit=50&invoice_type=exchange_bot',
  'groups of invoices of bots': '/api/invoices/admin/groups?limit=10&invoice_type=exchange_bot',
});

/**
 * Orders of one bot over two years: a paid one gives thirty days of access, four of ten expire unpaid, those of the last
 * day are open.
 */
async function fill(databaseUrl: string, sales: number): Promise<{ bot: string; buyer: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      "SELECT set_config('copydesk.scope', 'all', false), set_config('copydesk.bulk', 'on', false)",
    );
    await client.query("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'");
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO exchange_bot (community_id, telegram_id, username, name, language)
       SELECT id, 2000999, 'bench_bot', 'Bench', 'en' FROM community
       WHERE NOT EXISTS (SELECT FROM exchange_bot b WHERE b.community_id = community.id) LIMIT 1 RETURNING id`,
    );
    const bot = rows[0]?.id ?? '';
    await client.query(
      `INSERT INTO exchange_bot_plan (bot_id, name, days, amount_units)
       SELECT $1, 'Plan ' || n, 30, n * 10::numeric ^ 19 FROM generate_series(1, 5) n`,
      [bot],
    );
    await client.query(
      `INSERT INTO exchange_bot_coupon (bot_id, code, percent)
       SELECT $1, 'CODE' || n, n * 10 FROM generate_series(1, 3) n`,
      [bot],
    );
    await client.query(
      `CREATE TEMP TABLE ordered AS
       WITH buyers AS (SELECT array_agg(id ORDER BY id) AS ids, array_agg(community_id ORDER BY id) AS communities,
           count(*) AS n FROM trader),
         plans AS (SELECT array_agg(id ORDER BY name) AS ids FROM exchange_bot_plan WHERE bot_id = $1),
         coupons AS (SELECT array_agg(id ORDER BY code) AS ids FROM exchange_bot_coupon WHERE bot_id = $1)
       SELECT app.uuid_by_time() AS id, buyers.ids[1 + o.n % buyers.n] AS trader_id,
         buyers.communities[1 + o.n % buyers.n] AS community_id, plans.ids[1 + o.n % 5] AS plan_id,
         CASE WHEN o.n % 10 = 7 THEN coupons.ids[1 + o.n % 3] END AS coupon_id,
         (1 + o.n % 5) * 10::numeric ^ 19 AS price,
         CASE WHEN o.n % 10 = 7 THEN 10::numeric ^ 18 ELSE 0 END AS discount,
         at, CASE WHEN at > now() - interval '1 day' THEN 'pending' WHEN o.n % 5 < 2 THEN 'cancelled' ELSE 'paid' END AS status
       FROM generate_series(1, $2::int) o (n) CROSS JOIN buyers CROSS JOIN plans CROSS JOIN coupons
       CROSS JOIN LATERAL (SELECT now() - (o.n::float8 / $2 * 730) * interval '1 day' AS at) c`,
      [bot, sales],
    );
    await client.query(
      `INSERT INTO invoice (id, trader_id, community_id, invoice_type, amount_units, paid_units, status, settled_by,
         paid_at, payment_address, commission_rate, split, due_at, created_at, updated_at)
       SELECT id, trader_id, community_id, 'exchange_bot', price - discount,
         CASE WHEN status = 'paid' THEN price - discount ELSE 0 END, status,
         CASE WHEN status = 'paid' THEN 'chain' END, CASE WHEN status = 'paid' THEN at + interval '1 hour' END,
         '0x' || repeat('1', 40), 0, '[]', at + interval '1 day', at, at
       FROM ordered`,
    );
    await client.query(
      `INSERT INTO exchange_bot_sale (invoice_id, bot_id, trader_id, plan_id, coupon_id, days, price_units,
         discount_units, expires_at, cancelled_because, sold_at, access_from, access_until, created_at)
       SELECT id, $1, trader_id, plan_id, coupon_id, 30, price, discount, at + interval '1 day',
         CASE WHEN status = 'cancelled' THEN 'expired' END, sold, sold, sold + interval '30 days', at
       FROM ordered CROSS JOIN LATERAL (SELECT CASE WHEN status = 'paid' THEN at + interval '1 hour' END AS sold) p`,
      [bot],
    );
    const { rows: buyers } = await client.query<{ trader_id: string }>(
      'SELECT trader_id FROM ordered LIMIT 1',
    );
    await client.query('SELECT app.refresh_invoice_sums(ARRAY(SELECT id FROM trader))');
    for (const table of ['invoice', 'invoice_part', 'invoice_group', 'exchange_bot_sale'])
      await client.query(`VACUUM ANALYZE ${table}`);
    return { bot, buyer: buyers[0]?.trader_id ?? '' };
  } finally {
    await client.end();
  }
}
