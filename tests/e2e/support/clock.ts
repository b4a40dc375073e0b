import type { Page } from '@playwright/test';

/** Further than a step of the page between asking it for its time and stopping it may take. */
const AHEAD_MS = 10_000;

/**
 * Stops the page's time, which then moves by `page.clock.runFor` alone: what is measured in fractions of a second does
 * not depend on how busy the machine is. The page needs its clock installed, and its time to load.
 */
export async function stopTime(page: Page): Promise<void> {
  const now = await page.evaluate<number>('Date.now()');
  await page.clock.pauseAt(now + AHEAD_MS);
}
