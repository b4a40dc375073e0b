import type { Page } from '@playwright/test';

/** Nothing changes by itself any more: what failed waits for somebody to try again. */
export async function withoutNews(page: Page): Promise<void> {
  await page.route('**/api/events*', (route) => route.abort());
}
