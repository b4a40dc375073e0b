import type { Call, CallAnswer } from '@copydesk/contract';
import type { Page } from '@playwright/test';

/** Nothing changes by itself any more: the page waits for news that never come. */
export async function withoutNews(page: Page): Promise<void> {
  await page.route('**/api/events*', () => {});
}

/** What a page is told by this call while it is acted on. */
export async function toldBy<K extends Call>(
  page: Page,
  call: K,
  act: () => Promise<unknown>,
): Promise<CallAnswer<K>> {
  const [method, path] = call.split(' ');
  const told = page.waitForResponse(
    (response) =>
      response.ok() && response.request().method() === method && new URL(response.url()).pathname === path,
  );
  await act();
  return (await told).json();
}

/**
 * Opens a page that stays as it is, and answers what it was told: what a test asks for itself before or after may be
 * another thing, for in the demo world balances are read and payouts go on while tests run.
 */
export async function openStill<K extends Call>(page: Page, url: string, call: K): Promise<CallAnswer<K>> {
  await withoutNews(page);
  return toldBy(page, call, () => page.goto(url));
}
