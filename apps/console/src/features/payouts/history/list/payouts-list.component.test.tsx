import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LIST, listOf, type Payout, payoutOf, showPayouts } from '../../../../testing/show-payouts.ts';

const SUMMARY = 'GET /api/sweep-operations/summary';
const grid = page.getByRole('grid', { name: 'Payouts' });
const row = (nth: number) => grid.getByRole('row').nth(nth + 1);
const cells = (nth: number) =>
  [...row(nth).element().querySelectorAll('td')].map(({ textContent }) => textContent);
const pages = page.getByRole('navigation', { name: 'Pages' });
const column = (name: string) => grid.getByRole('columnheader', { name, exact: true });
const button = (name: string) => pages.getByRole('button', { name, exact: true });
/** Before the button of the same name that sorts. */
const filter = (name: string) => page.getByRole('button', { name, exact: true }).first();

const TOTAL = 45;
/** So many rows as are asked for, of all. */
const paged = ({ query }: { query: Record<string, string> }) => {
  const offset = Number(query.offset ?? 0);
  const count = Math.max(0, Math.min(Number(query.limit ?? 20), TOTAL - offset));
  return listOf(
    Array.from({ length: count }, (_, n) => payoutOf(100 + offset + n)),
    TOTAL,
  );
};

test('a row has all that is known of a payout', async () => {
  const imported: Partial<Payout> = { is_imported: true, recipient_type: 'trader_referrer' };
  await showPayouts({
    answers: { [LIST]: listOf([payoutOf(1, { ...imported, total_amount: '1234.5678901' })], 45) },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Transaction History');
  await expect
    .element(page.getByText('All distribution payouts across communities. Links open on BscScan.'))
    .toBeVisible();
  await expect.element(row(0)).toBeVisible();
  const [, date, status, type, recipient, amount] = cells(0);
  expect(date).toBe('Jan 2, 2026 10:00');
  expect(status).toMatch(/distributed.*Imported/i);
  expect(type).toMatch(/trader referrer.*Kite Traders/i);
  expect(recipient).toContain('0xabab…abab');
  expect(amount).toBe('1,234.56789');
  await expect.element(pages).toHaveTextContent('Showing 1–20 of 45');
  await expect.element(pages).toHaveTextContent('Page 1 / 3');
});

test('transactions are shown by 8 characters and lead to the explorer', async () => {
  const hashes = [`0x123456789${'0'.repeat(55)}`, `0xabcdef987${'0'.repeat(55)}`];
  const [consolidate_transaction_hash = '', distribute_transaction_hash = ''] = hashes;
  await showPayouts({
    answers: { [LIST]: listOf([payoutOf(1, { consolidate_transaction_hash, distribute_transaction_hash })]) },
  });
  await expect.element(row(0).getByRole('link').first()).toBeVisible();
  const links = row(0).getByRole('link').elements();
  expect(links.map((link) => [link.textContent?.slice(0, 8), link.getAttribute('href')])).toEqual(
    hashes.map((hash) => [hash.slice(0, 8), `https://explorer.example/tx/${hash}`]),
  );
  for (const [nth, hash] of hashes.entries()) {
    expect(links[nth]?.textContent).not.toContain(hash.slice(0, 9));
    expect(links[nth]?.getAttribute('rel')).toContain('noopener');
  }
});

test('filters appear in the URL and as chips, and can be removed', async () => {
  const { address, server } = await showPayouts();
  await expect.element(row(0)).toBeVisible();
  await filter('Status').click();
  await page.getByRole('option', { name: 'Distributed' }).click();
  await filter('Recipient Type').click();
  await page.getByRole('option', { name: 'Mark' }).click();
  await expect.poll(address).toBe('/transaction-history?status=distributed&type=mark');
  const wanted = { status: 'distributed', recipient_type: 'mark' };
  await expect
    .poll(() => server.sentTo(LIST).findLast(({ query }) => query.limit !== '1')?.query)
    .toMatchObject(wanted);
  expect(server.sentTo(SUMMARY).at(-1)?.query).toMatchObject(wanted);
  await page.getByRole('button', { name: 'Remove filter Status Distributed' }).click();
  await expect.poll(address).toBe('/transaction-history?type=mark');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(address).toBe('/transaction-history');
});

test('pages, page sizes and orders appear in the URL', async () => {
  const { address, server, unmount } = await showPayouts({ answers: { [LIST]: paged } });
  const asked = () => server.sentTo(LIST).findLast(({ query }) => query.limit !== '1')?.query;
  await expect.element(row(0)).toBeVisible();
  await expect.element(button('First')).toBeDisabled();
  await expect.element(button('Prev')).toBeDisabled();
  await button('Next').click();
  await expect.element(pages).toHaveTextContent('Showing 21–40 of 45');
  expect(address()).toBe('/transaction-history?page=2');
  await button('Last').click();
  await expect.element(pages).toHaveTextContent('–45 of 45');
  await expect.element(button('Next')).toBeDisabled();
  await button('Prev').click();
  await button('First').click();
  await expect.poll(address).toBe('/transaction-history');
  await pages.getByRole('combobox', { name: 'Rows per page' }).selectOptions('50');
  await expect.poll(address).toBe('/transaction-history?rows=50');
  await expect.poll(asked).toMatchObject({ limit: '50' });
  await column('Amount (USDT)').getByRole('button').click();
  await expect.element(column('Amount (USDT)')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(asked).toMatchObject({ orderBy: 'amount', orderDir: 'desc' });
  await unmount();
  await showPayouts({ answers: { [LIST]: paged } }, '?page=9999');
  await expect.element(pages).toHaveTextContent('Page 3 / 3');
});

test('a failed payout says why in its row', async () => {
  await showPayouts({
    answers: { [LIST]: listOf([payoutOf(1, { status: 'failed', problem: 'reverted' })]) },
  });
  await expect.element(row(0)).toBeVisible();
  expect(cells(0)[2]).toMatch(/failed.+/i);
});

test('Enter searches all payouts, their sums included', async () => {
  const { address, server } = await showPayouts();
  const search = page.getByRole('searchbox', { name: 'Search this page' });
  await expect.element(row(0)).toBeVisible();
  await search.fill('failed');
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/transaction-history?status=failed');
  await expect.poll(() => server.sentTo(SUMMARY).at(-1)?.query).toMatchObject({ status: 'failed' });
  expect(server.sentTo(LIST).map(({ query }) => query)).toContainEqual(
    expect.objectContaining({ status: 'failed' }),
  );
  await expect.element(search).toHaveValue('');
  await search.fill('zz');
  await expect.poll(address).toMatch(/find=/);
  await userEvent.keyboard('{Enter}');
  await expect.element(search).toHaveValue('zz');
  expect(page.getByRole('button', { name: /^Search all/ }).elements()).toEqual([]);
});

test('below the rows is the sum of all that match, on every page, and none of a search of the page', async () => {
  const list = listOf([payoutOf(1), payoutOf(2)], 45);
  list.meta.total_amount = '98765.4321';
  await showPayouts({ answers: { [LIST]: list } });
  const sum = page.getByRole('row', { name: /^All that match/ });
  await expect.element(sum).toHaveTextContent('98,765.4321');
  const box = (element: Element) => element.getBoundingClientRect();
  const header = page.getByRole('columnheader', { name: 'Amount (USDT)' }).element();
  const cell = sum.getByText('98,765.4321').element().closest('td') as HTMLElement;
  expect(Math.abs(box(cell).right - box(header).right)).toBeLessThan(2);
  await page.getByRole('searchbox', { name: 'Search this page' }).fill('0xabab');
  await expect.element(sum).not.toBeInTheDocument();
});
