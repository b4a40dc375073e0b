import { poolFundsReturned } from '@copydesk/domain/ledger';
import { SETTING_DEFAULTS } from '@copydesk/domain/settings';
import pg from 'pg';
import { postJournal } from '../apps/server/src/core/ledger/ledger.service.ts';
import { areBooksBalanced } from '../apps/server/src/features/pools/results/books-of-result.views.ts';
import { freezeResult } from '../apps/server/src/features/pools/results/freeze-result.ts';
import { takeResultTurn } from '../apps/server/src/features/pools/results/take-result-turn.ts';
import { createPool } from '../apps/server/src/platform/db/connection/connection.ts';
import { createDatabase, WHOLE_SCOPE } from '../apps/server/src/platform/db/database.ts';
import { WORKER_ACTOR } from '../apps/server/src/platform/work/worker-actor.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

const MEMBERS = 10_000;
const USDT = 10n ** 18n;
const CAPITAL = 100n * BigInt(MEMBERS) * USDT;

/** The booking of a cycle's result over ten thousand members: valuation, allocation, fees and invoices. */
export async function benchPoolCycle(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, MEMBERS);
  const place = await addTradedPool(databaseUrl);
  const pool = createPool({ url: databaseUrl, applicationName: 'bench' });
  const db = createDatabase({ pool, auditKey: Buffer.from('bench'.repeat(8)), now: () => new Date() });
  const deps = { db, now: () => new Date(), settings: { current: () => SETTING_DEFAULTS } };
  const write = (work: Parameters<typeof db.write<void>>[2]) => db.write(WHOLE_SCOPE, WORKER_ACTOR, work);
  try {
    await write(async (tx) => {
      const returned = poolFundsReturned(place.poolId, CAPITAL + CAPITAL / 10n, {
        type: 'bench',
        id: 'returned',
      });
      await postJournal(tx, returned);
    });
    const begun = performance.now();
    let peak = process.memoryUsage().rss;
    await write((tx) => freezeResult(tx, place, new Date()));
    const frozen = performance.now();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query("SET copydesk.scope = 'all'");
    await client.query(`UPDATE harvest_cycle SET step = 'opening' WHERE id = $1`, [place.cycleId]);
    let turns = 1;
    while (await takeResultTurn(deps, place)) {
      turns += 1;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    const booked = performance.now();
    const isBalanced = await db.read(WHOLE_SCOPE, (tx) => areBooksBalanced(tx, place.poolId));
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM invoice WHERE harvest_cycle_id = $1',
      [place.cycleId],
    );
    await client.end();
    report.row(
      `result of a pool of ${MEMBERS.toLocaleString('en-US')} members: allocation, fees and invoices`,
      `${((booked - begun) / 1000).toFixed(1)} s (${((frozen - begun) / 1000).toFixed(1)} s until decided), ${turns} turns, ${rows[0]?.count} invoices, process ${Math.round(peak / 2 ** 20)} MB at most, books ${isBalanced ? 'balanced' : 'NOT BALANCED'}`,
      '< 60 s, < 300 MB',
    );
  } finally {
    await db.close();
  }
}

/** A pool whose money is at the exchange, 100 USDT for each member. Its books begin with an opening. */
async function addTradedPool(databaseUrl: string): Promise<{ poolId: string; cycleId: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SET copydesk.scope = 'all'");
    const one = async (text: string, values: unknown[] = []) =>
      (await client.query<{ id: string }>(text, values)).rows[0]?.id as string;
    const communityId = await one(`INSERT INTO community (name) VALUES ('Large pool') RETURNING id`);
    const poolId = await one(
      `INSERT INTO pooled_account (community_id, minimum_deposit_units, proxy_address)
       VALUES ($1, 1, '0x' || repeat('ab', 20)) RETURNING id`,
      [communityId],
    );
    const cycleId = await one(
      `INSERT INTO harvest_cycle (pooled_account_id, cycle_number, status, step)
       VALUES ($1, 1, 'processing_invoices', 'valuing') RETURNING id`,
      [poolId],
    );
    await client.query(
      `INSERT INTO pool_member (pooled_account_id, trader_id) SELECT $1, id FROM trader ORDER BY id LIMIT $2`,
      [poolId, MEMBERS],
    );
    await client.query(
      `INSERT INTO ledger_account (kind, owner_id, asset)
       SELECT 'pool_capital', id, 'USDT' FROM pool_member WHERE pooled_account_id = $1
       UNION ALL SELECT 'pool_exchange', $1, 'USDT'`,
      [poolId],
    );
    await client.query(
      `WITH opened AS (
         INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name)
         VALUES ('pool_opened', 'pool', $1::uuid::text, 'system', 'bench', 'bench') RETURNING id)
       INSERT INTO posting (journal_id, account_id, asset, amount)
       SELECT o.id, a.id, 'USDT', CASE a.kind WHEN 'pool_exchange' THEN $2::numeric ELSE -100 * 10::numeric ^ 18 END
       FROM opened o CROSS JOIN ledger_account a
       WHERE a.kind = 'pool_exchange' AND a.owner_id = $1::uuid
         OR a.kind = 'pool_capital' AND a.owner_id IN (SELECT id FROM pool_member WHERE pooled_account_id = $1::uuid)`,
      [poolId, CAPITAL.toString()],
    );
    return { poolId, cycleId };
  } finally {
    await client.end();
  }
}
