import { askLists, timesOf } from './lists.ts';
import { readSizes } from './sizes.ts';
import { benchDatabase } from './support/databases.ts';
import type { Report } from './support/report.ts';

/** Each has about 4.6 invoices, 15 shares of them and 10.6 closed positions. */
const SMALL = 100_000;
const LARGE = 1_000_000;

/** A million traders with their history beside a hundred thousand: what loading takes, and every list and page. */
export async function benchMillion(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const databaseUrls = [];
  for (const traders of [SMALL, LARGE]) {
    console.log(`loading ${traders.toLocaleString('en-US')} traders`);
    const startedAt = performance.now();
    const databaseUrl = await benchDatabase(ownerUrl, traders, { hasHistory: true });
    const seconds = (performance.now() - startedAt) / 1000;
    const sizes = await readSizes(databaseUrl);
    const bytes = sizes.reduce((all, size) => all + size.bytes, 0);
    report.row(
      `${traders.toLocaleString('en-US')} traders loaded`,
      `${seconds.toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB, ${Math.round(bytes / traders)} bytes a trader`,
    );
    databaseUrls.push(databaseUrl);
  }
  for await (const { as, what, times } of askLists(databaseUrls, dataDir)) {
    const [small, large] = times;
    report.row(
      `${as}: ${what}`,
      small && large ? `${timesOf(small)}; a million: ${timesOf(large)}` : 'FAILED',
      small && large ? `p95 ≤ 2x: ${(large.p95Ms / small.p95Ms).toFixed(2)}x` : '',
    );
  }
}
