import { listActive } from '../support/communities.ts';
import { distributeDialog } from '../support/distribute.ts';
import { expect, test } from '../support/test.ts';

test('the money arrives: a payout is followed until it is distributed', async ({ page, api }) => {
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
  await page.goto(`/community-settings/${id}?tab=money`);
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
  // Payouts alone: their sum stands below them once it is there.
  await expect(page.getByRole('row').filter({ hasText: /0x/ })).toHaveCount(Number(count));
});
