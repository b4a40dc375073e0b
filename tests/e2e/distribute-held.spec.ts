import { pickCommunity } from './support/communities.ts';
import {
  numberedAddress as address,
  answerDistribution,
  answerPayout,
  distributeDialog,
  HELD,
  HELD_CHANGE,
  HELD_FROM,
  heldLine,
  pendingOf,
  refusal,
} from './support/distribute.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';
import { listPayouts } from './support/transaction-history.ts';

test('held recipients are listed with the reason, cannot be selected, and are no part of the total', async ({
  page,
  api,
}) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, { pending: { json: pendingOf({ held: HELD }) } });
  const { opener, dialog, button } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await expect(dialog).toContainText('1,234.56 USDT for 4 recipients');
  await expect(dialog).toContainText('200.00 USDT is held and not part of it');
  const lines = dialog.getByRole('region', { name: 'Held' }).getByRole('listitem');
  await expect(lines).toHaveCount(4);
  await expect(lines.nth(0)).toContainText('Waits for another super admin');
  await expect(lines.nth(1)).toContainText('Waits for another super admin');
  await expect(lines.nth(1).getByRole('button', { name: 'Release' })).toHaveCount(0);
  await expect(lines.nth(2)).toContainText('Deposit address frozen');
  await expect(lines.nth(3)).toContainText('Not checked against the chain yet');
  for (const line of await lines.all()) await expect(line.getByRole('checkbox')).toBeDisabled();
  await button('Select All').click();
  await expect(button('Distribute Selected (4)')).toBeVisible();
});

test.describe('when the server refuses', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a held address is released after a question, which also shows a refusal', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    let lines = [heldLine({})];
    await answerDistribution(page, {
      pending: () => ({ json: pendingOf({ totalAmount: '0', recipients: [], held: lines }) }),
    });
    let isRefused = true;
    const released: string[] = [];
    await page.route('**/release', (route) => {
      if (isRefused) {
        isRefused = false;
        return route.fulfill(refusal(403, 'own_release', 'You changed this address.'));
      }
      released.push(route.request().url());
      lines = [];
      return route.fulfill({ json: { success: true, data: { id: HELD_CHANGE, address: address(0xccc1) } } });
    });
    const { opener, dialog, button, toast } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await expect(dialog).toContainText('Nothing is payable now');
    await button('Release').click();
    const question = page.getByRole('dialog', { name: 'Release address' });
    await expect(question).toContainText(`Nobody is paid at ${address(0xccc1)} before another super admin`);
    await question.getByRole('button', { name: 'Release' }).click();
    await expect(question).toContainText('You changed this address.');
    await question.getByRole('button', { name: 'Release' }).click();
    await expect(toast('Address released')).toBeVisible();
    expect(released).toHaveLength(1);
    await expect(dialog).toContainText('Nothing is pending for distribution');
  });
});

test('community settings say when an address was changed and from when on it is payable', async ({
  page,
  api,
}) => {
  const { id } = await pickCommunity(api);
  const change = {
    recipient_type: 'community',
    address: address(0xccc1),
    changed_at: '2026-11-22T14:05:00.000Z',
    payable_from: HELD_FROM,
    awaits_release: false,
    released_by: 'other@demo.example',
    change_id: null,
    can_release: false,
    chain: { read_at: HELD_FROM, is_contract: false, is_token: false, is_used: false },
  };
  await page.route('**/payout-addresses', (route) =>
    route.fulfill({ json: { success: true, data: [change] } }),
  );
  await page.goto(`/community-settings/${id}`);
  const wallets = page.getByRole('region', { name: 'Wallets' });
  await expect(wallets).toContainText('Changed Nov 22, 14:05 UTC');
  await expect(wallets).toContainText('Payable from Nov 23, 14:05 UTC');
  await expect(wallets).toContainText('No trace on this chain');
  await expect(wallets.getByRole('button', { name: 'Release' })).toHaveCount(0);
});

type OwnerWord = { kind: 'not_me'; read_at: string } | null;

test('a failed payout is ordered again at the new address, with a reason and its hold', async ({
  page,
  api,
}) => {
  const id = (await listPayouts(api)).data[0]?.id ?? '';
  const over = {
    status: 'failed' as const,
    problem: 'reverted',
    can_retry: true,
    can_resend: true,
    current_address: address(0xddd1),
    current_address_payable_from: HELD_FROM as string | null,
    current_address_awaits_release: false,
    current_address_owner_word: { kind: 'not_me', read_at: HELD_FROM } as OwnerWord,
  };
  await answerPayout(page, api, id, over);
  const bodies: unknown[] = [];
  await page.route('**/resend', (route) => {
    bodies.push(route.request().postDataJSON());
    const data = { distribution: null, total_amount: '12.5', payouts: [] };
    return route.fulfill({ json: { success: true, message: '', data } });
  });
  await page.goto(`/transaction-history?payout=${id}`);
  await page.getByRole('button', { name: 'Send to new address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send to new address' });
  await expect(dialog).toContainText(address(0xddd1));
  await expect(dialog).toContainText('payable from Nov 23, 14:05 UTC');
  await expect(dialog).toContainText('The owner said: not me');
  await expect(dialog.getByRole('button', { name: 'Order payout' })).toHaveAttribute('aria-disabled', 'true');

  over.current_address_payable_from = null;
  over.current_address_owner_word = null;
  await page.reload();
  await page.getByRole('button', { name: 'Send to new address' }).click();
  await expect(dialog).not.toContainText('The owner said');
  await dialog.getByRole('button', { name: 'Order payout' }).click();
  await expect(dialog).toContainText('Explain how you know that it was not paid');
  expect(bodies).toEqual([]);
  await dialog.getByLabel('Why it was not paid').fill('The transfer reverted');
  await dialog.getByRole('button', { name: 'Order payout' }).click();
  await expect(
    page.locator('ol li').filter({ hasText: 'Payout ordered: 1 recipient, 12.50 USDT' }),
  ).toBeVisible();
  expect(bodies).toEqual([{ reason: 'The transfer reverted' }]);
});
