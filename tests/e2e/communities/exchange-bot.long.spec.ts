import { expectAccessible } from '../support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// A coupon that does not exist.
test.use({ expectedComplaint: FAILED_REQUEST });

test('a bot is connected, and its plans, coupons and questions are prepared', async ({ page, api }, {
  retry,
}) => {
  // A community, a bot and a buyer for each attempt: what an attempt left stays.
  const token = `200000${1 + retry}`;
  const buyer = ['Lena Sommer', 'Lena Winter'][retry] ?? '';
  const dialog = page.getByRole('dialog');
  const panel = (name: string | RegExp) => page.getByRole('region', { name });
  const { data: communities } = await api.call('GET /api/communities');
  const community = communities.filter(({ is_archived }) => !is_archived)[retry];
  await page.goto(`/community-settings/${community?.id}?tab=bot`);
  await expect(panel('Exchange Bot')).toContainText('No Telegram bot sells access to this community.');
  await panel('Exchange Bot').getByRole('button', { name: 'Connect bot' }).click();
  await dialog.getByLabel('Bot token').fill(`${token}:demo-token-of-this-bot`);
  await dialog.getByLabel('Language').selectOption('es');
  await dialog.getByRole('button', { name: 'Connect bot' }).click();
  await expect(panel('Exchange Bot')).toContainText(`@demo_${token}_bot`);
  await panel('Exchange Bot').getByRole('link', { name: 'Open bot' }).click();
  await expect(panel(/^Plans/)).toContainText('Without a plan the bot sells nothing.');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New plan' }).click();
  await dialog.getByRole('button', { name: 'Add plan' }).click();
  await expect(dialog).toContainText('Enter an amount above 0');
  await dialog.getByLabel('Name').fill('One month');
  await dialog.getByLabel('Price (USDT)').fill('49.5');
  await dialog.getByRole('button', { name: 'Add plan' }).click();
  await expect(
    panel(/^Plans/)
      .getByRole('row')
      .filter({ hasText: 'One month' }),
  ).toContainText('49.50');

  await page.getByRole('button', { name: 'New coupon' }).click();
  await dialog.getByLabel('Code').fill('spring-26');
  await dialog.getByLabel('Percent off').fill('10');
  await expect(dialog).toContainText('49.50 USDT → 44.55 USDT');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add coupon' }).click();
  await expect(
    panel(/^Coupons/)
      .getByRole('row')
      .filter({ hasText: 'SPRING-26' }),
  ).toContainText('10% off');

  await page.getByRole('button', { name: 'New order' }).click();
  await dialog.getByRole('button', { name: 'Record order' }).click();
  await expect(dialog).toContainText("Enter the digits of the person's Telegram id");
  await dialog.getByLabel('Plan').selectOption({ label: 'One month, 30 days, 49.50 USDT' });
  await dialog.getByLabel('Telegram id').fill(`710000000${1 + retry}`);
  await dialog.getByLabel('Name').fill(buyer);
  await dialog.getByRole('button', { name: 'Record order' }).click();
  const order = panel(/^Orders/)
    .getByRole('row')
    .filter({ hasText: buyer });
  const act = async (name: string) => {
    await order.getByRole('button', { name: `Actions for the order of ${buyer}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await expect(order).toContainText('Open');
  await act('Apply coupon');
  await dialog.getByLabel('Coupon code').fill('none');
  await dialog.getByRole('button', { name: 'Apply coupon' }).click();
  await expect(dialog).toContainText('No coupon has this code');
  await dialog.getByLabel('Coupon code').fill('spring-26');
  await dialog.getByRole('button', { name: 'Apply coupon' }).click();
  await expect(order).toContainText('44.55');
  await expect(panel(/^Subscribers/)).toContainText('No subscribers');
  await act('Mark as paid');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(order).toContainText('Paid');
  await expect(panel(/^Subscribers/)).toContainText(buyer);
  await expect(panel('Sales')).toContainText('With SPRING-26');
  await act('Mark as unpaid');
  await dialog.getByRole('button', { name: 'Mark as unpaid' }).click();
  await expect(panel(/^Subscribers/)).toContainText('No subscribers');
  await act('Cancel order');
  await dialog.getByRole('button', { name: 'Cancel order' }).click();
  await expect(order).toContainText('Cancelled');
  // Without a reference number its invoice would be the newest of the unknown traders, and lead the list of other tests.
  const found = await api.call('GET /api/traders', { query: { search: buyer, search_in: 'other' } });
  for (const { id } of found.data)
    await api.call('PATCH /api/traders/{id}', {
      params: { id },
      body: { reference_number: `KAIT-99000${1 + retry}` },
    });

  for (const question of ['¿Primero?', '¿Segundo?']) {
    await page.getByRole('button', { name: 'New question' }).click();
    await dialog.getByLabel('Question').fill(question);
    await dialog.getByLabel('Answer').fill('Sí.');
    await dialog.getByRole('button', { name: 'Add question' }).click();
    await expect(dialog).toBeHidden();
  }
  const questions = page.getByRole('list', { name: 'Questions in Spanish' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Move ¿Segundo? up' }).click();
  await expect(questions.first()).toContainText('¿Segundo?');

  await panel('Bot').getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect(panel('Bot')).toContainText('Off');
  await panel('Bot').getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('The bot works', { exact: true })).toBeVisible();
  await panel('Bot').getByRole('button', { name: 'Replace' }).click();
  await dialog.getByLabel('Bot token').fill('2000100:demo-token-of-this-bot');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expectAccessible(page);
});
