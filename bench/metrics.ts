import pg from 'pg';
import { pino } from 'pino';
import { liftChecks } from '../apps/server/src/demo/lift-checks.ts';
import { measureOperations } from '../apps/server/src/features/operations/measure-operations.ts';
import { createPool } from '../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase } from '../apps/server/src/platform/db/database.ts';
import { createMetrics } from '../apps/server/src/platform/observe/metrics.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

const TRADERS = 100_000;
const READS = 30;
/** Longer than figures are cached. */
const LATER_MS = 60_000;

/** What a scrape costs with 100,000 traders: when the figures are read from the database, and when they are cached. */
export async function benchMetrics(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const url = await benchDatabase(ownerUrl, TRADERS);
  console.log('loading payouts, transfers and messages');
  await fill(url);
  const pool = createPool({ url, applicationName: 'bench', maxConnections: 1 });
  const db = createDatabase({ pool, auditKey: Buffer.alloc(32), now: () => new Date() });
  const registry = createMetrics(pool);
  let at = 0;
  measureOperations(registry, { db, log: pino({ level: 'silent' }), now: () => at });
  const scrape = async () => {
    const startedAt = performance.now();
    const text = await registry.metrics();
    return { ms: performance.now() - startedAt, text };
  };
  const first = await scrape();
  const fresh: number[] = [];
  const cached: number[] = [];
  for (let n = 0; n < READS; n++) {
    at += LATER_MS;
    fresh.push((await scrape()).ms);
    cached.push((await scrape()).ms);
  }
  await db.close();
  const of = (times: number[]) => {
    const sorted = times.toSorted((one, other) => one - other);
    return `p50 ${sorted[READS / 2]?.toFixed(1)}, at most ${sorted.at(-1)?.toFixed(1)} ms`;
  };
  report.row('first scrape of a process', `${first.ms.toFixed(0)} ms`);
  report.row('scrape that reads the figures', of(fresh), '≤ 100 ms');
  report.row('scrape of cached figures', of(cached), '≤ 5 ms');
  report.row('size of the figures', `${(first.text.length / 1_000).toFixed(1)} kB`);
}

/** Years of payouts and messages, with some that wait and fail, and accounts that an exchange refuses. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN; SET LOCAL copydesk.scope = 'all'");
    const tables = ['chain_wallet', 'distribution', 'payout', 'transfer', 'transfer_attempt', 'message'];
    const restore = await liftChecks(client, tables);
    for (const statement of STATEMENTS) await client.query(statement);
    await restore();
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

const STATEMENTS = [
  `INSERT INTO chain_wallet (chain_id, role, owner_id, key_index, address, frozen_because, frozen_at)
   SELECT 56, 'deposit', gen_random_uuid(), n, '0x' || lpad(to_hex(n), 40, '0'),
     CASE WHEN n % 5000 = 0 THEN 'balance_short' END, CASE WHEN n % 5000 = 0 THEN now() END
   FROM generate_series(1, 100000) n`,
  `INSERT INTO transfer_heartbeat (chain_id, gas_wei, gas_read_at) VALUES (56, 3e18, now())`,
  `INSERT INTO distribution (community_id, state, amount_units, requested_by_id, requested_by)
   SELECT c.id, CASE WHEN n % 500 = 0 THEN 'awaiting_approval' ELSE 'approved' END, 1, 'bench', 'bench'
   FROM generate_series(1, 1000) n, (SELECT id FROM community LIMIT 12) c`,
  `INSERT INTO payout (community_id, status, recipient_type, recipient_address, amount_units, distribution_id, problem,
     ordered_at, ordered_by_id, distribute_transaction_hash)
   SELECT d.community_id, v.status, 'mark', '0x' || repeat('1', 40), 1, d.id, v.problem, now(), 'bench',
     '0x' || md5(d.id::text || n) || md5(n::text)
   FROM distribution d, generate_series(1, 50) n, LATERAL (
     SELECT CASE WHEN hashtext(d.id::text || n) % 500 = 0 THEN 'failed'
       WHEN hashtext(d.id::text || n) % 500 = 1 THEN 'consolidating' ELSE 'distributed' END AS status,
       CASE WHEN hashtext(d.id::text || n) % 500 = 0 THEN 'reverted' END AS problem) v`,
  `INSERT INTO transfer (kind, wallet_id, community_id, to_address, token_address, amount_units, state, nonce, problem,
     created_at, sent_at, ended_at)
   SELECT 'consolidate', w.id, (SELECT id FROM community LIMIT 1), '0x' || repeat('1', 40), '0x' || repeat('2', 40), 1,
     CASE WHEN v.waits THEN 'planned' ELSE 'final' END, CASE WHEN NOT v.waits THEN n END,
     CASE WHEN v.waits THEN 'waits_for_gas' END, now() - n * interval '1 day', now(), CASE WHEN NOT v.waits THEN now() END
   FROM chain_wallet w, generate_series(1, 10) n, LATERAL (SELECT w.key_index % 100 = 0 AND n = 5 AS waits) v
   WHERE w.role = 'deposit'`,
  `INSERT INTO transfer_attempt (transfer_id, wallet_id, nonce, attempt, hash, raw, max_fee_wei, priority_fee_wei, gas_limit,
     created_at, block_number, block_hash, is_success, fee_wei)
   SELECT t.id, t.wallet_id, t.nonce, 1, '0x' || md5(t.id::text) || md5(t.nonce::text), '0xaa', 1, 1, 1, t.created_at,
     extract(epoch FROM t.created_at)::bigint, '0x', true, 5e13
   FROM transfer t WHERE t.nonce IS NOT NULL`,
  `INSERT INTO message (trader_id, kind, language, text, dedupe_key, state, sent_at, created_at, requested_by)
   SELECT t.id, 'invoice_created', 'en', 'A message', t.id::text || n, v.state,
     CASE WHEN v.state = 'sent' THEN now() END, now() - n * interval '1 day', 'bench'
   FROM trader t, generate_series(1, 10) n, LATERAL (
     SELECT CASE WHEN hashtext(t.id::text) % 200 <> 0 THEN 'sent' WHEN n = 1 THEN 'failed' WHEN n = 2 THEN 'queued'
       ELSE 'sent' END AS state) v`,
  `UPDATE exchange_account SET read_error = 'rate_limited', equity_read_at = now() - interval '2 hours'
   WHERE hashtext(id::text) % 40 = 0`,
];
