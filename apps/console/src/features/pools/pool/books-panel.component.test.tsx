import { expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { never, refuse } from '../../../testing/serve-calls.ts';
import { POOL, region, showPool } from '../../../testing/show-pool.ts';
import { someAnswers, somePool } from '../../../testing/some-pools.ts';

const STATS = `${POOL}/stats` as const;
const books = region('Books');
const rowsOf = (name: string) =>
  [...(books.element().querySelectorAll(`dl[aria-label="${name}"] > div`) ?? [])].map((row) => [
    row.querySelector('dt')?.textContent,
    row.querySelector('dd')?.textContent,
  ]);
const pool = somePool(0, 'awaiting_bybit_withdrawal');
const stats = (someAnswers(pool, { isSuper: true })['/stats'] as { data: Record<string, string> }).data;

test('assets and liabilities add up to the same exact total, aligned at the point', async () => {
  await showPool(pool);
  await expect
    .poll(() => rowsOf('Held by the pool'))
    .toEqual([
      ['Proxy wallet', '12.50'],
      ['On the way to Bybit', '0.000001'],
      ['Bybit, booked', '119,988.999999'],
      ['Shortfall', '0.00'],
      ['Total assets', '120,001.50'],
    ]);
  expect(rowsOf('Owed by the pool')).toEqual([
    ['Virtual balances', '120,000.75'],
    ['Returned, not yet valued', '0.00'],
    ['Fees due', '0.75'],
    ['Unexplained', '0.00'],
    ['Total liabilities', '120,001.50'],
  ]);
  await expect.element(books).toHaveTextContent(/BalancedPending deposits/);
  expect(books.getByRole('alert').elements()).toEqual([]);
  // On one line each, with their points below each other.
  const boxes = [
    ...books.element().querySelectorAll('dl[aria-label="Held by the pool"] dd > span > span:last-child'),
  ].map((decimals) => decimals.getBoundingClientRect());
  expect(boxes).toHaveLength(5);
  expect(new Set(boxes.map(({ x }) => x)).size).toBe(1);
  expect(new Set(boxes.map(({ height }) => height)).size).toBe(1);
  await expectAccessible();
});

test('totals that differ are said in red, with the difference', async () => {
  await showPool(pool, { [STATS]: { success: true, data: { ...stats, unexplained: '12.5' } } as never });
  await expect
    .element(books.getByRole('alert'))
    .toHaveTextContent('Not balanced: assets are 12.50 USDT less than liabilities.');
  await expect.element(books).not.toHaveTextContent('Balanced');
  await expectAccessible();
});

test('nothing is balanced before it is read, nor after a refusal', async () => {
  const { unmount } = await showPool(pool, { [STATS]: never });
  await expect.element(books).toHaveTextContent('Total assets');
  await expect.element(books).not.toHaveTextContent(/[Bb]alanced/);
  await unmount();
  const { server } = await showPool(pool, { [STATS]: refuse(403) });
  await expect.element(books).toHaveTextContent('Total liabilitiesUnknown');
  await expect.element(books).not.toHaveTextContent(/[Bb]alanced/);
  server.answer({ [STATS]: { success: true, data: stats } as never });
  await books.getByRole('button', { name: 'Retry' }).click();
  await expect.element(books).toHaveTextContent('Balanced');
});
