import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { reportInTurns, type Side } from './support/in-turns.ts';
import { startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const SIZES = [1_000, 100_000];
/** Dead keys and traders without their messages, each: with what is overdue, ten thousand items at the larger size. */
const OF_EACH = 3_500;

const PATHS = {
  'the first page': '/api/attention?tab=you',
  'what the navigation counts': '/api/attention?tab=you&limit=1',
  'a page far down': '/api/attention?tab=you&offset=400',
  'one group': '/api/attention?tab=you&group=keys',
  'the figures of the overview': '/api/overview',
};

/** What needs a person, small and large, for a super admin, staff of one provider and of three. */
export async function benchAttention(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const sides: Side[] = [];
  for (const traders of SIZES) {
    console.log(`loading ${traders} traders`);
    const databaseUrl = await benchDatabase(ownerUrl, traders, { hasHistory: true });
    await fill(databaseUrl);
    sides.push({ api: await startApi(databaseUrl, dataDir), paths: PATHS });
  }
  const [small, large] = sides as [Side, Side];
  try {
    for (const as of ['super', 'staff', 'staff-multi'] as const) {
      const paths = Object.fromEntries(Object.entries(PATHS).map(([what, path]) => [`${as}: ${what}`, path]));
      const of = (side: Side) => ({ ...side, as, paths });
      await reportInTurns({ small: of(small), large: of(large) }, report, 'p95 ≤ 60 ms');
    }
  } finally {
    await Promise.all(sides.map(({ api }) => api.stop()));
  }
}

async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    await client.query(
      `UPDATE exchange_account SET read_error = 'ip_not_allowed' WHERE id IN (
         SELECT id FROM exchange_account WHERE removed_at IS NULL ORDER BY id LIMIT $1)`,
      [OF_EACH],
    );
    await client.query(
      `INSERT INTO message (trader_id, provider_id, kind, language, text, dedupe_key, state, problem, requested_by)
       SELECT DISTINCT ON (a.trader_id) a.trader_id, a.provider_id, 'invoice_overdue', 'en', 'Pay', 'bench-' || a.trader_id,
         'failed', 'no_chat', 'bench'
       FROM (SELECT trader_id, provider_id FROM exchange_account WHERE removed_at IS NULL ORDER BY id LIMIT $1) a
       ON CONFLICT (dedupe_key) DO NOTHING`,
      [OF_EACH],
    );
    // All other invoices are paid in time.
    await client.query(
      `UPDATE invoice SET due_at = now() + interval '1 day' WHERE status = 'pending' AND NOT is_archived
         AND due_at < now() AND trader_id NOT IN (
           SELECT DISTINCT trader_id FROM invoice WHERE status = 'pending' AND due_at < now() ORDER BY trader_id LIMIT $1)`,
      [OF_EACH],
    );
    // Without the visibility map that a vacuum writes, each read of an index also reads the table for every
    // row.
    await client.query('VACUUM ANALYZE exchange_account, account_reading, message, invoice, trader');
    const { rows } = await client.query<{ n: string }>(
      `SELECT count(*) AS n FROM invoice WHERE status = 'pending' AND NOT is_archived AND due_at < now()`,
    );
    console.log(`${rows[0]?.n} invoices are overdue`);
  } finally {
    await client.end();
  }
}
