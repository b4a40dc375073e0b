import pg from 'pg';
import { benchDatabase } from './support/databases.ts';
import { latency, load } from './support/load.ts';
import { signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

const TRADERS = 100_000;
const POOLS = 500;
const MEMBERS = 1_000_000;
const CLIENTS = 4;
const SECONDS = 4;

/** The dashboard and the page of a pool, with five hundred pools and a million members. */
export async function benchPoolLists(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS);
  console.log(`loading ${MEMBERS.toLocaleString('en-US')} members`);
  await addPools(databaseUrl);
  const api = await startApi(databaseUrl, dataDir);
  try {
    for (const who of ['super', 'staff', 'staff-multi']) {
      const token = await signIn(api.url, who);
      const run = async (what: string, paths: string[], wanted = '') => {
        const begun = performance.now();
        const first = await fetch(`${api.url}${paths[0]}`, { headers: { authorization: `Bearer ${token}` } });
        await first.arrayBuffer();
        const firstMs = performance.now() - begun;
        const result = await load({ url: api.url, paths, token, clients: CLIENTS, seconds: SECONDS });
        const measured = first.ok && result.requestsPerSecond > 0 ? latency(result) : 'FAILED';
        report.row(`${what}, ${who}`, `first ${firstMs.toFixed(0)} ms; ${measured}`, wanted);
      };
      const list = await fetch(`${api.url}/api/pooled-accounts`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { pooled_accounts: pools } = (await list.json()) as { pooled_accounts: { id: string }[] };
      const ids = pools.slice(0, 20).map(({ id }) => id);
      await run(`${pools.length} pools`, ['/api/pooled-accounts'], 'p95 ≤ 60 ms');
      await run(
        'a pool',
        ids.map((id) => `/api/pooled-accounts/${id}`),
      );
      await run(
        'members of a pool',
        ids.map((id) => `/api/pooled-accounts/${id}/traders?limit=50`),
      );
      await run('communities with AUM', ['/api/communities?include_aum=true']);
      if (who !== 'super') continue;
      await run('the global status', ['/api/pooled-accounts/global/harvest/status'], 'p95 ≤ 60 ms');
      await run('pending deposits', ['/api/admin/bsc-pending-deposits'], 'p95 ≤ 60 ms');
    }
  } finally {
    await api.stop();
  }
}

/**
 * Communities of every provider's, a pool for each, and each trader a member of ten of them. Balances are written to
 * members, past the ledger, for the triggers to add up.
 */
async function addPools(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'; SET work_mem = '256MB'");
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM pool_member');
    if ((rows[0]?.count ?? 0) >= MEMBERS) return;
    await client.query(
      `INSERT INTO community (name) SELECT 'Pool community ' || n FROM generate_series(1, $1::int) n ON CONFLICT DO NOTHING`,
      [POOLS],
    );
    await client.query(
      `INSERT INTO community_provider (community_id, provider_id)
       SELECT c.id, p.id FROM community c CROSS JOIN provider p WHERE c.name LIKE 'Pool community %'
       ON CONFLICT DO NOTHING`,
    );
    await client.query(
      `WITH pool AS (
         INSERT INTO pooled_account (community_id, minimum_deposit_units)
         SELECT id, 1 FROM community WHERE name LIKE 'Pool community %' RETURNING id)
       INSERT INTO harvest_cycle (pooled_account_id, cycle_number) SELECT id, 1 FROM pool`,
    );
    await client.query(
      `WITH pool AS (
         SELECT p.id, row_number() OVER (ORDER BY p.id) - 1 AS n FROM pooled_account p
         JOIN community c ON c.id = p.community_id WHERE c.name LIKE 'Pool community %'),
       member AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM trader LIMIT $1::int)
       INSERT INTO pool_member (pooled_account_id, trader_id)
       SELECT p.id, m.id FROM member m CROSS JOIN generate_series(0, $3::int - 1) k
       JOIN pool p ON p.n = (m.n + k * $2::int / $3::int) % $2::int`,
      [TRADERS, POOLS, MEMBERS / TRADERS],
    );
    await client.query(
      `UPDATE pool_member SET capital_units = (100 + abs(hashtext(id::text)) % 5000) * 10::numeric ^ 18,
         pending_units = CASE WHEN abs(hashtext(id::text)) % 20 = 0 THEN 10::numeric ^ 18 ELSE 0 END
       WHERE capital_units = 0`,
    );
    await client.query(
      'ANALYZE pool_member, pool_sum, pool_provider_sum, pooled_account, harvest_cycle, community_provider',
    );
  } finally {
    await client.end();
  }
}
