import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../tests/support/chromium.ts';
import { benchDatabase } from './support/databases.ts';
import { signIn, startApi } from './support/product.ts';
import type { Report } from './support/report.ts';
import { startSimulators } from './support/simulators.ts';

const CLICKS = 10;

/** From the click on a row of the list until the trader page is complete, with recently read data. */
export async function benchTraderPage(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const databaseUrl = await benchDatabase(ownerUrl, 600, { hasCredentials: true });
  const simulators = await startSimulators(databaseUrl);
  const api = await startApi(databaseUrl, dataDir, simulators.env);
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.request.post(`${api.url}/api/demo/sign-in`, { data: { persona: 'super' } });
    const page = await context.newPage();
    const times: number[] = [];
    for (let click = 0; click <= CLICKS; click++) {
      await page.goto(`${api.url}/?tab=connected`);
      const row = page
        .getByRole('row')
        .filter({ hasText: /KAIT-\d/ })
        .first();
      await row.waitFor();
      const startedAt = performance.now();
      await row.click();
      await page.getByText('Exchange Keys').first().waitFor();
      await page.waitForFunction(
        "!/Loading|Failed to load/.test(document.querySelector('main').textContent)",
      );
      if (click > 0) times.push(performance.now() - startedAt); // the first click reads the exchanges
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    report.row(
      'trader page complete after the click, all of it cached',
      `median ${at(0.5).toFixed(0)} ms, slowest ${at(1).toFixed(0)} ms`,
      '≤ 300 ms',
    );
    await benchReads(api.url, report);
  } finally {
    await browser.close();
    await api.stop();
    simulators.stop();
  }
}

/** The time to read the positions of a trader with several accounts without a cache. */
async function benchReads(url: string, report: Report): Promise<void> {
  const headers = { authorization: `Bearer ${await signIn(url, 'super')}` };
  const ask = async (path: string) =>
    (await (await fetch(`${url}${path}`, { headers })).json()) as {
      data: { id: string; exchanges: unknown[] }[];
    };
  const { data } = await ask('/api/traders?tab=connected&limit=200&include_exchanges=true');
  const traders = data.filter(({ exchanges }) => exchanges.length >= 3);
  const times: number[] = [];
  for (const { id } of traders.slice(0, 15)) {
    const startedAt = performance.now();
    await ask(`/api/traders/${id}/positions`);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  report.row(
    'open positions of three accounts and more, read anew',
    `median ${(times[times.length >> 1] ?? 0).toFixed(0)} ms over ${times.length} traders, slowest ${(times.at(-1) ?? 0).toFixed(0)} ms`,
    'slowest exchange + 100 ms',
  );
}
