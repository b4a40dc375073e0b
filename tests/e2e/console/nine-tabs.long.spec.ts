import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test('nine tabs of one browser are live by one stream, and every click is answered', async ({
  page,
  context,
}) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url());
  });
  const tabs: Page[] = [];
  // One after the other: nine consoles that start at once wait longer for their first answer than a console does.
  while (tabs.length < 9) {
    const tab = tabs.length === 0 ? page : await context.newPage();
    tabs.push(tab);
    await tab.goto('/');
    await expect(tab.getByText('Live', { exact: true })).toBeVisible();
  }
  expect(streams).toHaveLength(1);
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await expect(page.getByRole('heading', { name: 'Invoices', level: 1 })).toBeVisible();
  // The tab with the stream closes: another one goes on.
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
  for (const tab of tabs.slice(1)) await expect(tab.getByText('Live', { exact: true })).toBeVisible();
});
