import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../tests/support/chromium.ts';
import { benchDatabase } from './support/databases.ts';
import { startApi } from './support/product.ts';
import type { Report } from './support/report.ts';

/** The browser's load and work until the Traders list is shown, and during a scroll through 100,000 traders. */
export async function benchConsole(ownerUrl: string, dataDir: string, report: Report): Promise<void> {
  const api = await startApi(await benchDatabase(ownerUrl, 100_000), dataDir);
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.request.post(`${api.url}/api/demo/sign-in`, { data: { persona: 'super' } });
    const page = await context.newPage();
    const scripts = new Map<string, number>();
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return;
      const body = await response.body().catch(() => Buffer.alloc(0));
      scripts.set(response.url(), gzipSync(body, { level: 6 }).length);
    });
    await page.goto(`${api.url}/?tab=connected`);
    await page
      .getByText(/KAIT-\d/)
      .first()
      .waitFor();
    const shownMs = await page.evaluate(() => performance.now());
    const kb = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
    report.row(
      'JavaScript before the Traders list shows, gzip',
      `${kb.toFixed(1)} kB in ${scripts.size} files`,
      '≤ 180 kB',
    );
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    );
    report.row(
      'first content',
      `${paint.toFixed(0)} ms; first traders after ${shownMs.toFixed(0)} ms`,
      '< 1,500 ms',
    );
    report.row('longest task while scrolling 100,000 rows', await scroll(page), 'none > 100 ms');
  } finally {
    await browser.close();
    await api.stop();
  }
}

/** Steady wheel turns, then jumps through the whole list, recording every long task. */
async function scroll(page: Page): Promise<string> {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { longTasks: seen });
    const observer = new PerformanceObserver((list) => {
      seen.push(...list.getEntries().map((entry) => entry.duration));
    });
    // A browser type that Node's own observer does not know.
    observer.observe({ type: 'longtask' } as unknown as { type: 'measure' });
  });
  await page.mouse.move(700, 600);
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, turn < 40 ? 600 : 20_000);
    await page.waitForTimeout(40);
  }
  await page.waitForTimeout(500);
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
  return tasks.length === 0
    ? 'none over 50 ms'
    : `${Math.max(...tasks).toFixed(0)} ms (${tasks.length} over 50 ms)`;
}
