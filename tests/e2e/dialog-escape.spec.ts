import { pickCommunity } from './support/communities.ts';
import { answerDistribution, distributeDialog } from './support/distribute.ts';
import { expect, test } from './support/test.ts';
import { listPayouts } from './support/transaction-history.ts';

test('Escape closes the dialog, and leaves the message that came after it', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, {});
  const { opener, dialog, button, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await button('Distribute Selected (0)').click();
  await expect(toast('Please select at least one recipient')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(toast('Please select at least one recipient')).toBeVisible();
});

test.describe('staff', () => {
  test.use({ persona: 'staff' });

  test('read that amounts of payouts are their part', async ({ page, api }) => {
    const { data } = await listPayouts(api, { limit: '1' });
    await page.goto(`/transaction-history?payout=${data[0]?.id}`);
    await expect(page.getByText('Amounts are your part')).toBeVisible();
    await expect(page.getByText('Amount, your part')).toBeVisible();
  });
});
