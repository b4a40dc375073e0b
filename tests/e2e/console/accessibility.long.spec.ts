import { expectAccessible } from '../support/accessibility.ts';
import { embeddedOnly, isHosted } from '../support/identity-mode.ts';
import { invoicesScreen, isUntouched, pickInvoice } from '../support/invoices-screen.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { changeRecord, pickWithAccounts, servePositions, traderDetail } from '../support/trader-detail.ts';
import { tradersList } from '../support/traders-list.ts';

// Several states are checked in one visit, each three times.

test('the Traders list, an open filter, the user menu, and two-factor authentication', async ({ page }) => {
  await page.goto('/?tab=connected&exchange=bybit');
  const list = tradersList(page);
  await expect(list.rows.first()).toBeVisible();
  await expectAccessible(page);
  await list.filter('Community').click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /account of/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
  if (isHosted) return;
  await page.getByRole('menuitem', { name: /Two-factor/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});

test('the Traders list without a match', async ({ page }) => {
  await page.goto('/?search=nobody-has-this');
  await expect(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  await expectAccessible(page);
});

test('a trader', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit', 'kucoin']);
  await page.goto(`/trader/${trader.id}`);
  const { equity, history, positions, audit } = traderDetail(page);
  await expect(equity.getByRole('img', { name: /^Equity from/ })).toBeVisible();
  await expect(history.getByRole('row').nth(1)).toBeVisible();
  // The simulated trader may have none open at this hour.
  await expect(positions.getByRole('row').nth(1).or(positions.getByRole('status')).first()).toBeVisible();
  await expect(audit.getByRole('status').or(audit.getByRole('listitem').first())).toBeVisible();
  await equity.getByText('Show as a table').click();
  await expectAccessible(page);
});

test('a trader with failing exchanges', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  await changeRecord(page, trader.id, { active_positions: [] });
  await servePositions(page, () => 'failed');
  await page.goto(`/trader/${trader.id}`);
  await expect(page.getByText('Error loading positions')).toBeVisible();
  await expectAccessible(page);
});

test('a revealed secret', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['hyperliquid'], 1);
  await page.goto(`/trader/${trader.id}`);
  const reveal = page.getByRole('button', { name: 'Reveal Agent Private Key' });
  await reveal.focus();
  await expect(page.getByText(/^0x[0-9a-f]{64}$/)).toBeVisible();
  await expectAccessible(page);
});

test('the dialogs of a trader', async ({ page, api }) => {
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const { status, dialog } = traderDetail(page);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  await page.goto(`/trader/${trader.id}`);
  for (const [name, open] of [
    ['Confirm Status Change', () => status.selectOption('pending')],
    ['Edit KAIT Number', () => press('Edit KAIT number')],
    ['Connect exchange', () => press('Connect exchange')],
    ['Remove exchange', () => press(/^Remove /)],
  ] as const) {
    await open();
    await expect(dialog).toHaveAccessibleName(name);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

test('the invoices: selected, unfolded, and one of them open', async ({ page, api }) => {
  const invoice = await pickInvoice(api, isUntouched);
  await page.goto(`/invoices?search=${invoice.reference}&status=pending`);
  const list = invoicesScreen(page);
  await list.groups.first().press('Enter');
  await expect(list.invoice(invoice.id)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select page' }).check();
  await expect(list.bar).toBeVisible();
  await expectAccessible(page);
});

test('an open invoice', async ({ page, api }) => {
  const invoice = await pickInvoice(api, ({ is_paid, paid_amount }) => is_paid && paid_amount !== '0');
  await page.goto(`/invoices?invoice=${invoice.id}`);
  await expect(page.getByRole('list', { name: 'Positions' })).toBeVisible();
  await expect(page.getByText('Nothing was sent yet')).toBeVisible();
  await expectAccessible(page);
});

test('no invoice that matches', async ({ page }) => {
  await page.goto('/invoices?tab=archived&search=nobody-has-this&overdue=true');
  await expect(page.getByRole('heading', { name: 'No invoices found' })).toBeVisible();
  await expectAccessible(page);
});

test('the dialogs of a group of invoices', async ({ page, api }) => {
  const { reference } = await pickInvoice(api, isUntouched);
  const list = invoicesScreen(page);
  await page.goto(`/invoices?search=${reference}`);
  for (const [name, item] of [
    ['Mark as paid', 'Mark all as paid'],
    ['Notify of unpaid invoices', 'Notify of unpaid invoices'],
  ] as const) {
    await list.menu(reference).click();
    await list.item(item).click();
    await expect(list.dialog).toHaveAccessibleName(name);
    await expect(list.dialog).not.toContainText('Counting');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(list.dialog).toHaveCount(0);
  }
});

test('running invoicing, and the saved views of the invoices', async ({ page }) => {
  await page.goto('/invoices');
  await expect(invoicesScreen(page).groups.first()).toBeVisible();
  for (const [name, button] of [
    ['Run invoicing', 'Run invoicing'],
    ['Saved views', 'Views'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveAccessibleName(name);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('traders without a reference number, and the menu of their group', async ({ page }) => {
  await page.goto('/invoices?tab=unpaid&rows=100&sort=amount');
  const list = invoicesScreen(page);
  await list.group('unknown').press('Enter');
  await expect(list.invoices.first()).toContainText('$');
  await list.menu('unknown').click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page);
});

test.describe('signed out', () => {
  test.use({ persona: null });

  test('the sign-in page', async ({ page }) => {
    embeddedOnly('The forms are those of the service');
    await page.goto('/sign-in');
    await expect(page.getByRole('button', { name: 'Super admin', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByText('Required')).toHaveCount(2);
    await expectAccessible(page);
  });
});

test.describe('without providers', () => {
  test.use({ persona: 'no-access' });

  test('the banner', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'No Provider Access' })).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe('when the server fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('the Traders list', async ({ page }) => {
    await page.route('**/api/traders?*', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expectAccessible(page);
  });

  test('the crash screen', async ({ page }) => {
    await page.route('**/api/me', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/');
    await page.getByText('Show error details').click();
    await expectAccessible(page);
  });
});
