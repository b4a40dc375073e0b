import {
  formatCount,
  formatDate,
  formatUsd,
  formatWholeUsd,
  shortId,
  shownParts,
} from '@copydesk/domain/money';
import { formatPnl } from '@copydesk/domain/trading';
import { listName } from '../../../apps/console/src/lib/format/trader-name.ts';
import { exactUsdt } from '../../../apps/console/src/lib/format/usdt.ts';
import {
  invoicesOf,
  invoicesScreen,
  listGroups,
  pickGroup,
  pickInvoice,
} from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';

test('a group unfolds into its invoices, and one opens beside the list with all that the API knows', async ({
  page,
  api,
}) => {
  const [first] = (await listGroups(api)).data;
  const invoices = await invoicesOf(api, first?.reference_number ?? '');
  await page.goto('/invoices');
  const list = invoicesScreen(page);
  const group = list.groups.first();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(list.invoices).toHaveCount(invoices.length);
  for (const [index, invoice] of invoices.entries()) {
    const cells = list.invoices.nth(index).locator('td');
    await expect(cells.nth(1)).toContainText(invoice.provider?.name ?? 'No provider');
    await expect(cells.nth(2)).toHaveText(shortId(invoice.id));
    await expect(cells.nth(4)).toHaveText(formatWholeUsd(invoice.amount));
    await expect(cells.nth(6)).toHaveText(formatWholeUsd(invoice.provider_share));
    await expect(cells.nth(7)).toHaveText(formatDate(invoice.created_at));
    if (invoice.is_paid) await expect(cells.nth(3)).toContainText('Paid');
  }

  const { id, reference } = await pickInvoice(
    api,
    ({ is_paid, paid_amount }) => is_paid && paid_amount !== '0',
  );
  const invoice = (await api.call('GET /api/invoices/{id}', { params: { id } })).data;
  const positions = await api.call('GET /api/invoices/{id}/positions', { params: { id } });
  await page.goto(`/invoices?search=${reference}`);
  await list.groups.first().press('Enter');
  await list.invoice(id).press('Enter');
  const panel = list.panel(id);
  const fact = (name: string) => panel.getByText(name, { exact: true }).locator('..').getByRole('definition');
  await expect(fact('Amount')).toContainText(formatUsd(invoice.amount));
  await expect(fact('Amount').getByTitle(/ USDT$/)).toHaveAttribute('title', exactUsdt(invoice.amount));
  await expect(fact('Paid on chain')).toContainText(formatUsd(invoice.on_chain_amount));
  await expect(panel.getByText('Settled off-platform')).toHaveCount(invoice.off_platform.length);
  await expect(fact('Provider share')).toContainText(formatUsd(invoice.provider_share));
  await expect(fact('Community')).toHaveText(invoice.community_name);
  await expect(fact('Settled')).toContainText('on chain');
  await expect(fact('Deposit address')).toContainText(
    `${invoice.payment_address.slice(0, 6)}…${invoice.payment_address.slice(-4)}`,
  );
  const split = panel.getByRole('list', { name: 'Split' }).getByRole('listitem');
  await expect(split).toHaveCount(invoice.split.length);
  // Rounded so that they sum to the amount shown.
  const parts = invoice.split.filter(({ recipient_type }) => recipient_type !== 'tip');
  for (const [index, amount] of shownParts(parts.map((share) => share.amount)).entries())
    await expect(split.nth(index)).toContainText(formatUsd(amount));
  const made = panel.getByRole('region', { name: 'How the amount is made' });
  await expect(made).toContainText(formatPnl(positions.meta.profit));
  await expect(made).toContainText(`Invoiced${formatUsd(invoice.amount)}`);
  await expect(panel.getByRole('list', { name: 'Positions' }).getByRole('listitem')).toHaveCount(
    Math.min(10, positions.meta.total),
  );
  await expect(panel.getByRole('region', { name: 'Positions' })).toContainText(
    formatCount(positions.meta.total),
  );
  await expect(panel.getByRole('list', { name: 'What happened, latest first' })).toContainText('Invoiced');

  // The first link is its own page; the trader's screen leads back to the invoices of the trader.
  await panel.getByRole('link').nth(1).click();
  await expect(page).toHaveURL(`/trader/${invoice.trader_id}`);
  await page.getByRole('link', { name: 'View all' }).click();
  await expect(page).toHaveURL(`/invoices?search=${reference}`);
  await expect(list.group(reference)).toBeVisible();
});

test('traders without a reference number form one group that unfolds by trader, and the archive has its own', async ({
  page,
  api,
}) => {
  const unknown = (await listGroups(api, { reference_number: 'unknown' })).data[0];
  const traders = (await api.call('GET /api/invoices/admin/groups/unknown', { query: { limit: '50' } })).data;
  expect(traders.length).toBeGreaterThan(3);
  expect(unknown?.trader_count).toBe(traders.length);
  const nameOf = (index: number) => listName(traders[index]?.trader ?? { name: '', telegram_username: '' });
  const { data } = await listGroups(api, { limit: '1000' });
  const at = data.findIndex(({ reference_number }) => reference_number === 'unknown');
  await page.goto(`/invoices?page=${Math.floor(at / 10) + 1}`);
  const list = invoicesScreen(page);
  const group = list.group('unknown');
  await expect(group).toContainText(`${traders.length} traders`);
  await group.press('Enter');
  await expect(list.table).toHaveAttribute('aria-rowcount', String(10 + traders.length + 1));
  const trader = list.table.locator('tbody tr[aria-level="2"]');
  await expect(trader.first()).toContainText(nameOf(0));
  await trader.first().press('Enter');
  await expect(list.table.locator('tbody tr[aria-level="3"]').first()).toContainText('$');
  await expect(list.table).toHaveAttribute(
    'aria-rowcount',
    String(10 + traders.length + (traders[0]?.invoice_count ?? 0) + 1),
  );

  const archived = await listGroups(api, { tab: 'archived' });
  await page.goto('/invoices?tab=archived');
  await expect(list.groups.first()).toContainText(archived.data[0]?.reference_number ?? '');
  await list.groups.first().press('Enter');
  await expect(list.invoices.first()).toContainText('$');
  await expect(list.invoices).toHaveCount(archived.data[0]?.invoice_count ?? 0);
});

test('changes by others appear in place, without a reload or a jump', async ({ page, api }) => {
  const group = await pickGroup(
    api,
    ({ overdue_count, part_paid_count }) => overdue_count > 0 && part_paid_count === 0,
  );
  const invoice = (await invoicesOf(api, group.reference_number)).find(({ is_overdue }) => is_overdue);
  const params = { id: invoice?.id ?? '' };
  await page.goto(`/invoices?search=${group.reference_number}`);
  const list = invoicesScreen(page);
  const line = list.group(group.reference_number);
  await expect(line.getByText(`${group.overdue_count} overdue`)).toBeVisible();
  await line.click();
  await page.evaluate('window.isSamePage = true');
  try {
    await api.call('PATCH /api/invoices/{id}/status', {
      params,
      idempotencyKey: null,
      body: { is_paid: true },
    });
    await expect(list.invoice(params.id).getByText('Off-platform')).toBeVisible();
  } finally {
    await api.call('PATCH /api/invoices/{id}/status', {
      params,
      idempotencyKey: null,
      body: { is_paid: false },
    });
  }
  await expect(list.invoice(params.id).getByText('Overdue')).toBeVisible();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});
