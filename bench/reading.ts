import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Exchange } from '@copydesk/domain/catalogue';
import pg from 'pg';
import { binanceLimits } from '../apps/server/src/integrations/exchanges/binance/binance-endpoints.ts';
import { bybitLimits } from '../apps/server/src/integrations/exchanges/bybit/bybit-endpoints.ts';
import { hyperliquidLimits } from '../apps/server/src/integrations/exchanges/hyperliquid/hyperliquid-endpoints.ts';
import { kucoinLimits } from '../apps/server/src/integrations/exchanges/kucoin/kucoin-endpoints.ts';
import { okxLimits } from '../apps/server/src/integrations/exchanges/okx/okx-endpoints.ts';
import { ALLOCATOR, NODE_FLAGS } from '../apps/server/src/launcher/memory-limits.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';
import { startSimulators } from './support/simulators.ts';

const TRADERS = 6_850; // about 10,000 accounts
const SECONDS = 60;
const SHARE = 0.4;
const FLOWING = 0.9; // the rest of the share is the burst, which is spent before the measurement
const LIMITS = {
  bybit: bybitLimits,
  binance: binanceLimits,
  okx: okxLimits,
  kucoin: kucoinLimits,
  hyperliquid: hyperliquidLimits,
};
const READER = fileURLToPath(new URL('./support/read-accounts.ts', import.meta.url));

/** One worker reads 10,000 accounts of the simulated exchanges, all of them due at once. */
export async function benchReading(ownerUrl: string, _dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, TRADERS, { hasCredentials: true });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('copydesk.scope', 'all', false)");
  const simulators = await startSimulators(databaseUrl);
  try {
    await client.query('UPDATE account_reading SET due_at = now()');
    const { rows: accounts } = await client.query('SELECT count(*)::int AS n FROM account_reading');
    const startedAt = new Date();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...NODE_FLAGS, READER, databaseUrl, String(SECONDS)],
      { env: { ...process.env, ...ALLOCATOR, ...simulators.env, EXCHANGE_WORKER_SHARE: String(SHARE) } },
    );
    const { elapsedMs, weights, cpuShare, rssMb } = JSON.parse(stdout) as {
      elapsedMs: number;
      weights: Record<Exchange, number>;
      cpuShare: number;
      rssMb: number;
    };
    const { rows: done } = await client.query<{
      exchange: Exchange;
      n: number;
      errors: number;
      left: number;
    }>(
      `SELECT r.exchange, (count(*) FILTER (WHERE finished_at > $1))::int AS n,
         (count(*) FILTER (WHERE finished_at > $1 AND a.read_error IS NOT NULL))::int AS errors,
         (count(*) FILTER (WHERE finished_at IS NULL OR finished_at <= $1))::int AS left
       FROM account_reading r JOIN exchange_account a ON a.id = r.account_id GROUP BY 1 ORDER BY 1`,
      [startedAt],
    );
    for (const { exchange, n, errors, left } of done) {
      const { weight, windowMs } = LIMITS[exchange].venue;
      const allowed = (weight * SHARE * FLOWING * elapsedMs) / windowMs;
      report.row(
        `background reading, ${exchange}`,
        `${n} accounts in ${((elapsedMs + 10_000) / 1000).toFixed(0)} s (${left} left, ${errors} refused), ${((weights[exchange] / allowed) * 100).toFixed(0)} % of the budget`,
        left > 0 ? '≥ 90 % of the budget' : 'all read',
      );
    }
    const total = done.reduce((sum, { n }) => sum + n, 0);
    report.row(
      `one worker, ${accounts[0].n.toLocaleString('en-US')} accounts due at once`,
      `${(total / (elapsedMs / 1000 + 10)).toFixed(0)} accounts a second, ${(cpuShare * 100).toFixed(0)} % of a core, ${rssMb.toFixed(0)} MB`,
      '< 512 MB',
    );
  } finally {
    simulators.stop();
    await client.end();
  }
}
