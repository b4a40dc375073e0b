import { expectAccessible } from '../support/accessibility.ts';
import { pickCommunity } from '../support/communities.ts';
import {
  answerDistribution,
  answerPayout,
  distributeDialog,
  distributionOf,
  HELD,
  pendingOf,
} from '../support/distribute.ts';
import { pressEscape } from '../support/press-escape.ts';
import { expect, test } from '../support/test.ts';
import { listPayouts, transactionHistory } from '../support/transaction-history.ts';

// Several states are checked in one visit, each three times.

const FULL = pendingOf({
  held: HELD,
  unaddressed: [{ recipientType: 'hexmount', amount: '12.5', payableCount: 3 }],
  awaiting: [
    distributionOf({ state: 'awaiting_approval' }),
    distributionOf({ id: '00000000-0000-4000-8000-0000000000d2', is_own: true }),
  ],
});

const STOPPED_READING = {
  block_number: 100,
  updated_at: '2026-11-22T14:05:00.000Z',
  stopped_because: 'final block 99 has changed',
  needs_review: true,
  set_aside: [
    {
      id: '00000000-0000-4000-8000-0000000000f1',
      trader: { id: '00000000-0000-4000-8000-0000000000f2', reference_number: 'KAIT-77' },
      amount: '12.5',
      from_address: `0x${'11'.repeat(20)}`,
      transaction_hash: `0x${'ab'.repeat(32)}`,
      reason: 'cannot_be_booked',
      created_at: '2026-11-22T14:05:00.000Z',
    },
  ],
  set_aside_count: 1,
};

test('the recipients, the questions about them, and nothing pending', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  let pending = FULL;
  await answerDistribution(page, { pending: () => ({ json: pending }) });
  const { opener, dialog, button, rows, selected } = distributeDialog(page);
  const question = (name: string | RegExp) => page.getByRole('dialog', { name });
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await rows.first().click();
  await expect(selected).toHaveCount(1);
  await expect(dialog.getByRole('region', { name: 'Held' })).toBeVisible();
  await expectAccessible(page);
  await button('Release').click();
  await expect(page.getByRole('dialog').last()).toHaveAccessibleName(/Release/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question(/Release/)).toHaveCount(0);
  await button('Approve').first().click();
  await expect(question('Approve distribution').getByRole('grid')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question('Approve distribution')).toHaveCount(0);
  await pressEscape(dialog);
  pending = pendingOf({ totalAmount: '0', recipients: [] });
  await opener.click();
  await expect(dialog).toContainText('Nothing is pending for distribution');
  await expectAccessible(page);
});

test('the effect of paying, and its outcome', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const statuses = ['distributed', 'failed', 'consolidating', 'distributing', 'pending'];
  await answerDistribution(page, { statuses: () => statuses });
  const { opener, dialog, button, pay } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await button('Distribute All').click();
  await expect(pay).toBeVisible();
  await expectAccessible(page);
  await pay.click();
  await expect(dialog).toContainText('1 of 5 payouts distributed, 1 failed');
  await expectAccessible(page);
});

test('a payout that failed, a wallet that is frozen, and deposits that are not read', async ({
  page,
  api,
}) => {
  const payout = (await listPayouts(api)).data[0]?.id ?? '';
  const wallet = {
    id: payout,
    role: 'gas',
    owner_id: payout,
    address: `0x${'44'.repeat(20)}`,
    frozen_because: 'chain_ahead',
    frozen_at: '2026-01-02T10:00:00.000Z',
  };
  await page.route('**/api/super-admin/wallets?*', (route) =>
    route.fulfill({ json: { success: true, data: [wallet], meta: { total: 1 } } }),
  );
  await page.route('**/api/super-admin/deposit-reading', (route) =>
    route.fulfill({ json: { success: true, data: STOPPED_READING } }),
  );
  await answerPayout(page, api, payout, {
    status: 'failed',
    problem: 'reverted',
    can_retry: true,
    can_cancel: true,
  });
  await page.goto(`/transaction-history?payout=${payout}`);
  await expect(transactionHistory(page).panel(payout).getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByText('1 deposit was set aside')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('dialog', { name: 'Resume reading deposits' })).toBeVisible();
  await expectAccessible(page);
});
