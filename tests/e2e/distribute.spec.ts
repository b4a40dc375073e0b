import { listActive, pickCommunity } from './support/communities.ts';
import {
  answerDistribution,
  distributeDialog,
  distributionOf,
  MANY,
  pendingOf,
  RECIPIENTS,
  refusal,
  sentOf,
} from './support/distribute.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';

/** The console reads the payouts of an order again after this time. */
const FOLLOW_EVERY_MS = 10_000;

test('recipients are selected, all or one by one, and none is when it opens again', async ({ page, api }) => {
  const { id, name } = await pickCommunity(api);
  const asked = await answerDistribution(page, {});
  const { opener, dialog, button, rows, selected, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await expect(dialog).toContainText(`Pending recipients of ${name}`);
  await expect(dialog).toContainText('1,234.56 USDT for 4 recipients');
  await expect(rows).toHaveCount(5);
  await expect(rows.first()).toContainText('0xaaa1…aaa1');
  await expect(rows.first()).toContainText('Mark');
  await button('Distribute Selected (0)').click();
  await expect(toast('Please select at least one recipient')).toBeVisible();
  expect(asked).toEqual([]);
  await button('Select All').click();
  await expect(selected).toHaveCount(5);
  await expect(button('Distribute Selected (4)')).toBeVisible();
  await expect(dialog).toContainText('4 recipients selected: 1,234.56 USDT');
  await button('Deselect All').click();
  await expect(selected).toHaveCount(0);
  // One address in two roles: both of its lines.
  await expect(dialog).toContainText('An address with several roles is paid for all of them together.');
  await rows.filter({ hasText: 'Community referrer' }).click();
  await expect(selected).toHaveCount(2);
  await expect(dialog).toContainText('1 recipient selected: 200.00 USDT');
  await button('Cancel').click();
  await expect(dialog).toHaveCount(0);
  await opener.click();
  await expect(rows).toHaveCount(5);
  await expect(selected).toHaveCount(0);
});

test('a selection is paid once, after a preview', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await page.clock.install();
  let statuses = ['consolidating', 'consolidating', 'pending', 'pending', 'pending'];
  const asked = await answerDistribution(page, { statuses: () => statuses });
  const { opener, dialog, button, rows, pay, payouts, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await rows.first().click();
  await rows.nth(1).click();
  await button('Distribute Selected (2)').click();
  await expect(dialog).toContainText('900.00 USDT from 2 deposits');
  await expect(dialog).toContainText('7: 2 to collect, 5 to pay');
  await expect(dialog).toContainText('About 0.00105 BNB');
  const selectedRecipients = [RECIPIENTS[0]?.recipientAddress, RECIPIENTS[1]?.recipientAddress];
  expect(asked).toEqual([
    { body: { dry_run: true, selectedRecipients, expected_amount: '1200.5' }, key: undefined },
  ]);
  await expect(pay).toHaveText('Pay 1,234.56 USDT to 4 recipients');
  await pay.click();
  await expect(toast('Payout ordered: 4 recipients, 1,234.56 USDT')).toContainText('Not sent yet.');
  expect(asked.at(1)).toEqual({
    body: { selectedRecipients, expected_amount: '1234.56' },
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  await expect(dialog).toContainText('0 of 5 payouts distributed');
  await expect(payouts.first()).toContainText('consolidating');
  // Half of it is no success yet.
  statuses = ['distributed', 'distributed', 'distributed', 'distributing', 'distributing'];
  await page.clock.fastForward(FOLLOW_EVERY_MS);
  await expect(dialog).toContainText('3 of 5 payouts distributed');
  await expect(toast('Funds distributed')).toHaveCount(0);
  statuses = RECIPIENTS.map(() => 'distributed');
  await expect(dialog.getByRole('link', { name: 'Open Transaction History' })).toHaveAttribute(
    'href',
    /^\/transaction-history\?distribution=[0-9a-f-]{36}$/,
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toHaveCount(0);
  // The dialog is closed, and another screen open: the end is said all the same.
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await page.clock.fastForward(FOLLOW_EVERY_MS);
  await expect(toast('Funds distributed successfully to 2 recipients')).toBeVisible();
});

test('failed payouts are reported as failed, never as a success', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const statuses = () => ['distributed', 'failed', 'failed', 'distributed', 'distributed'];
  await answerDistribution(page, { statuses });
  const { opener, button, pay, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect(toast('2 of 5 payouts failed')).toContainText('Nothing was lost');
  await expect(toast('Funds distributed')).toHaveCount(0);
});

test('a distribution that makes no progress says for how long, and why', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, {});
  await page.route('**/distributions?*', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: [
          distributionOf({
            progress: 'needs_attention',
            payouts: { distributed: 3, failed: 1, under_way: 1, ordered_again: 0 },
            returned_amount: '34.56',
            standstill: {
              reason: 'gas_wallet_empty',
              detail: null,
              address: `0x${'ab'.repeat(20)}`,
              step: 'distribute',
              since: new Date(Date.now() - 12 * 60_000).toISOString(),
              usual_seconds: 40,
            },
          }),
        ],
        meta: { total: 1 },
      },
    }),
  );
  const { opener, dialog, button, pay, panel } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  const distributions = panel('Distributions');
  await expect(distributions).toContainText(
    'Paying recipients: no progress for 12 min, usually done in 40 s',
  );
  await expect(distributions).toContainText('The wallet that pays for gas is empty. Send BNB to it.');
  const row = distributions.getByRole('row').nth(1);
  await expect(row).toContainText('Needs attention');
  await expect(row).toContainText('3 of 5 paid');
  await expect(row).toContainText('34.56 USDT returned to pending');
  await opener.click();
  await button('Distribute All').click();
  await pay.click();
  await expect(dialog).toContainText('no progress for 12 min');
});

test.describe('an order that outlasts a request', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('paying all without names repeats the request until the result is known, and shows no error', async ({
    page,
    api,
  }) => {
    const { id } = await pickCommunity(api);
    const asked = await answerDistribution(page, {});
    let isAtWork = true;
    const keys: (string | undefined)[] = [];
    await page.route('**/distribute', (route) => {
      if ((route.request().postDataJSON() as { dry_run?: boolean }).dry_run) return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      return isAtWork ? route.fulfill(refusal(409, 'idempotency_in_flight', 'At work')) : route.fallback();
    });
    const { opener, dialog, button, pay, toast } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await button('Distribute All').click();
    await pay.click();
    await expect(button('Still working...')).toBeVisible();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    isAtWork = false;
    await expect(toast('Payout ordered: 4 recipients, 1,234.56 USDT')).toBeVisible();
    expect(new Set(keys).size).toBe(1);
    expect(asked.map(({ body }) => body)).toEqual([
      { dry_run: true, expected_amount: '1234.56' },
      { expected_amount: '1234.56' },
    ]);
  });
});

test('by keyboard: space selects, the focus stays within and goes back', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, {});
  const { opener, dialog, rows, selected } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(5);
  await rows.first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(selected).toHaveCount(3);
  await page.keyboard.press('Space');
  await expect(selected).toHaveCount(1);
  for (let step = 0; step < 20; step++) {
    await page.keyboard.press('Tab');
    await expect(dialog.locator(':focus')).toHaveCount(1);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('a thousand recipients are a few rows in the page', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, { pending: { json: MANY } });
  const { opener, button, table, rows } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await expect(table).toHaveAttribute('aria-rowcount', '1001');
  expect(await rows.count()).toBeLessThan(60);
  await button('Select All').click();
  await expect(button('Distribute Selected (1000)')).toBeVisible();
  await rows.first().focus();
  await page.keyboard.press('End');
  await expect(table).toContainText('0x1000…1000');
});

test.describe('with the clipboard', () => {
  test('an address is copied in full', async ({ page, api, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { id } = await pickCommunity(api);
    await answerDistribution(page, {});
    const { opener, rows, selected } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await rows
      .first()
      .getByRole('button', { name: /^Copy address/ })
      .click();
    await expect(rows.first().getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(RECIPIENTS[0]?.recipientAddress);
    await expect(selected).toHaveCount(0);
    await expect(rows.first().getByRole('button', { name: /^Copy address/ })).toBeVisible();
  });
});

test('nothing pending, and shares that cannot be paid', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const nothing = pendingOf({
    totalAmount: '0',
    recipients: [],
    unaddressed: [{ recipientType: 'trader_referrer', amount: '12.5', payableCount: 3 }],
  });
  await answerDistribution(page, { pending: { json: nothing } });
  const { opener, dialog, button } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await expect(dialog).toContainText('Nothing is pending for distribution');
  await expect(dialog).toContainText('These recipients have no wallet address');
  await expect(dialog).toContainText('Trader referrer · 3 shares');
  await expect(button(/^Distribute/)).toHaveCount(0);
});

test('an archived community pays out what it owes', async ({ page, api }) => {
  const community = await pickCommunity(api);
  await page.route(`**/api/communities/${community.id}?*`, (route) =>
    route.fulfill({ json: { success: true, data: { ...community, is_archived: true } } }),
  );
  await page.goto(`/community-settings/${community.id}`);
  await expect(distributeDialog(page).opener).toBeEnabled();
});

test.describe('at phone width', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('every recipient is a card, and nothing sticks out', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    await answerDistribution(page, {});
    const { opener, dialog, button, rows, pay } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await rows.nth(1).click();
    await expect(button('Distribute Selected (1)')).toBeInViewport();
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await button('Distribute All').click();
    await expect(pay).toBeInViewport();
  });
});

test.describe('when it fails', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test("a refusal shows the server's words, or ours when it has none, and can be retried", async ({
    page,
    api,
  }) => {
    const { id } = await pickCommunity(api);
    const told = "The community's wallet is not set up yet.";
    await answerDistribution(page, { sent: refusal(409, 'wallet_not_ready', told) });
    const { opener, dialog, button, pay, toast } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await button('Distribute All').click();
    await pay.click();
    await expect(toast(told)).toBeVisible();
    await expect(dialog.getByRole('alert')).toHaveText(told);
    for (const [sent, text] of [
      [{ status: 502, json: null }, 'Failed to distribute funds'],
      [{ json: { success: false, data: sentOf() } }, 'Distribution failed'],
    ] as const) {
      await expect(pay).toHaveAttribute('aria-disabled', 'false');
      await page.unroute('**/distribute');
      await answerDistribution(page, { sent });
      await pay.click();
      await expect(toast(text)).toBeVisible();
    }
  });

  test('a change meanwhile reloads the list, with a message', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    let reads = 0;
    const asked = await answerDistribution(page, {
      pending: () => {
        reads++;
        return {
          json:
            reads === 1 ? pendingOf() : pendingOf({ recipients: RECIPIENTS.slice(1), totalAmount: '234.06' }),
        };
      },
      sent: refusal(409, 'recipients_changed', 'Pending shares have changed. Please review them again.'),
    });
    const { opener, dialog, button, rows, pay, toast } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await button('Select All').click();
    await button('Distribute Selected (4)').click();
    await pay.click();
    await expect(toast('Pending shares have changed. Please review them again.')).toBeVisible();
    await expect(dialog).toContainText('Nothing was sent. This list is up to date.');
    await expect(rows).toHaveCount(4);
    await expect(button('Distribute Selected (3)')).toBeVisible();
    expect(asked).toHaveLength(2);
  });

  test('pending shares are requested again', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    let isBroken = true;
    await answerDistribution(page, {
      pending: () => (isBroken ? refusal(500, 'internal_error', 'Broken') : { json: pendingOf() }),
    });
    const { opener, dialog, button, rows } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await expect(dialog.getByRole('alert')).toContainText('Pending shares could not be loaded');
    isBroken = false;
    await button('Retry').click();
    await expect(rows).toHaveCount(5);
  });
});

test('the money arrives: a payout is followed until it is distributed', async ({ page, api }) => {
  test.setTimeout(150_000);
  // The last of those that owe something: others look at the first.
  const communities = (await listActive(api)).toReversed();
  const owing: string[] = [];
  for (const { id } of communities) {
    if (owing.length > 0) break;
    const pending = await api.call('GET /api/super-admin/communities/{id}/pending-distributions', {
      params: { id },
    });
    if (pending.recipients.length > 1) owing.push(id);
  }
  const id = owing[0] ?? '';
  const { opener, dialog, button, rows, pay, payouts, panel, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await rows.last().click();
  await button('Distribute Selected (1)').click();
  await pay.click();
  await expect(toast(/^Payout ordered: 1 recipient, [\d,.]+ USDT/)).toBeVisible();
  await expect(toast('Funds distributed')).toHaveCount(0);
  const success = toast('Funds distributed successfully to 1 recipients');
  await expect(success).toBeVisible({ timeout: 120_000 });
  await expect(payouts.first()).toContainText('distributed');
  await expect(dialog).toContainText(/^.*(\d+) of \1 payouts? distributed/);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const made = panel('Distributions').getByRole('row').nth(1);
  await expect(made).toContainText('Done');
  const payoutsOf = made.getByRole('link', { name: /^\d+ payouts?, show in Transaction History$/ });
  const count = await payoutsOf.textContent();
  await payoutsOf.click();
  await expect(page).toHaveURL(/\/transaction-history\?distribution=/);
  await expect(page.getByText('Distribution', { exact: true })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(Number(count) + 1);
});
