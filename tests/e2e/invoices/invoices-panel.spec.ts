import { formatCount, formatUsd, shownParts } from '@copydesk/domain/money';
import { formatPnl } from '@copydesk/domain/trading';
import { exactUsdt } from '../../../apps/console/src/lib/format/payout-texts.ts';
import { invoicesScreen, pickInvoice } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

test('opens beside the list, appears in the URL, and returns the focus on Escape', async ({ page, api }) => {
  const invoice = await pickInvoice(api, ({ status }) => status === 'pending');
  await page.goto(`/invoices?search=${invoice.reference}`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  const line = list.invoice(invoice.id);
  await line.press('Enter');
  const panel = list.panel(invoice.id);
  await expect(panel).toBeFocused();
  await expect(page).toHaveURL(`/invoices?search=${invoice.reference}&invoice=${invoice.id}`);
  await expect(panel.getByRole('link')).toHaveAttribute('href', `/trader/${invoice.trader_id}`);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(`/invoices?search=${invoice.reference}`);
  await expect(list.table.locator('tbody tr').nth(await indexOfFocused())).toBeFocused();

  async function indexOfFocused(): Promise<number> {
    return page.evaluate('[...document.querySelectorAll("tbody tr")].indexOf(document.activeElement)');
  }
});

test('a link opens it: figures, positions that make its amount, split, history, and the address to copy', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await pickInvoice(api, ({ is_paid, paid_amount }) => is_paid && paid_amount !== '0');
  const invoice = (await api.call('GET /api/invoices/{id}', { params: { id } })).data;
  const positions = await api.call('GET /api/invoices/{id}/positions', { params: { id } });
  await page.goto(`/invoices?invoice=${id}`);
  const panel = invoicesScreen(page).panel(id);
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
  await expect(panel.getByText(`${formatPnl(positions.meta.profit)} profit`)).toBeVisible();
  await expect(panel.getByText(`= ${formatUsd(invoice.amount)}`)).toBeVisible();
  await expect(panel.getByRole('list', { name: 'Positions' }).getByRole('listitem')).toHaveCount(
    Math.min(10, positions.meta.total),
  );
  await expect(panel.getByRole('region', { name: 'Positions' })).toContainText(
    formatCount(positions.meta.total),
  );
  await expect(panel.getByRole('list', { name: 'History' }).getByRole('listitem')).toHaveCount(
    invoice.history.length,
  );
  await page.getByRole('button', { name: 'Copy deposit address' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(invoice.payment_address);
});

test('messages say how they fared, and one that failed is sent again', async ({ page, api }) => {
  const invoice = await pickInvoice(api, ({ status }) => status === 'pending');
  const message = {
    id: invoice.id,
    trader_id: invoice.trader_id,
    invoice_id: invoice.id,
    kind: 'invoice_created',
    language: 'en',
    text: 'You owe\n<b>something</b>',
    state: 'failed',
    attempts: 3,
    problem: 'blocked',
    can_retry: true,
    next_attempt_at: null,
    requested_by: 'system',
    created_at: invoice.created_at,
    sent_at: null,
  };
  let isSent = false;
  await page.route('**/api/messages**', (route) => {
    if (route.request().method() === 'POST') isSent = true;
    const shown = isSent
      ? { ...message, state: 'sent', can_retry: false, problem: null, sent_at: message.created_at }
      : message;
    const data = route.request().method() === 'POST' ? shown : [shown];
    return route.fulfill({ json: { success: true, data, meta: { total: 1 } } });
  });
  await page.goto(`/invoices?invoice=${invoice.id}`);
  const messages = invoicesScreen(page).panel(invoice.id).getByRole('list', { name: 'Messages' });
  await expect(messages).toContainText('New invoice');
  await expect(messages).toContainText('Failed');
  await expect(messages).toContainText('The trader has blocked the bot');
  await expect(messages).toContainText('something');
  await messages.getByRole('button', { name: 'Retry' }).click();
  await expect(messages).toContainText('Sent');
  await expect(messages.getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('the trader page leads to the invoices of the trader', async ({ page, api }) => {
  const invoice = await pickInvoice(api, () => true);
  await page.goto(`/trader/${invoice.trader_id}`);
  await page.getByRole('link', { name: 'View all' }).click();
  await expect(page).toHaveURL(`/invoices?search=${invoice.reference}`);
  await expect(invoicesScreen(page).group(invoice.reference)).toBeVisible();
});

test.describe('missing invoices', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('an invoice that does not exist says so, beside the list', async ({ page }) => {
    const id = '00000000-0000-4000-a000-000000000000';
    await page.goto(`/invoices?invoice=${id}`);
    const list = invoicesScreen(page);
    await expect(list.panel(id).getByRole('heading', { name: 'Invoice not found' })).toBeVisible();
    await expect(list.groups).toHaveCount(10);
    await list.panel(id).getByRole('button', { name: 'Close panel' }).click();
    await expect(page).toHaveURL('/invoices');
  });
});

test.describe('at phone width', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('groups and invoices are cards, and the panel covers them', async ({ page, api }) => {
    const invoice = await pickInvoice(api, ({ status }) => status === 'pending');
    await page.goto(`/invoices?search=${invoice.reference}`);
    const list = invoicesScreen(page);
    await expect(list.groups.first()).toContainText(invoice.reference);
    await list.groups.first().press('Enter');
    // Until its invoices have come, there are lines that hold their place.
    await expect(list.invoices.first()).toContainText('$');
    await list.invoices.first().press('Enter');
    const sheet = page.getByRole('dialog', { name: /^Invoice / });
    await expect(sheet.getByRole('heading', { name: 'Split' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Close panel' }).click();
    await expect(sheet).toHaveCount(0);
    const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isWider)).toBe(false);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('button', { name: 'Overdue', exact: true }).click();
    await expect(page).toHaveURL(/overdue=true/);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('amount:asc');
    await expect(page).toHaveURL(/sort=amount&dir=asc/);
  });
});
