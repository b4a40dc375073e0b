import { expectAccessible } from './support/accessibility.ts';
import { pickCommunity } from './support/communities.ts';
import {
  answerDistribution,
  distributeDialog,
  distributionOf,
  pendingOf,
  planOf,
  refusal,
  sentOf,
} from './support/distribute.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const OTHERS = distributionOf({ state: 'awaiting_approval', total_amount: '8100', payout_count: 5 });
const OWN = distributionOf({
  id: '00000000-0000-4000-8000-0000000000d2',
  state: 'awaiting_approval',
  requested_by: 'super@demo.example',
  is_own: true,
  approval_refusal: {
    code: 'own_approval',
    message: 'Another super admin must approve your request',
  },
});

test('above the limit another super admin is asked, and no success is claimed', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  const distribution = distributionOf({ state: 'awaiting_approval' });
  await answerDistribution(page, {
    plan: {
      json: { success: true, message: '', data: planOf({ needs_approval: true, expected_fee: null }) },
    },
    sent: { json: { success: true, message: '', data: sentOf({ needs_approval: true, distribution }) } },
    statuses: () => ['pending', 'pending', 'pending', 'pending', 'pending'],
  });
  const { opener, dialog, button, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await button('Distribute All').click();
  await expect(dialog).toContainText('Another super admin must approve this');
  await expect(dialog).toContainText('Not known yet');
  await button('Request approval to pay 1,234.56 USDT to 4 recipients').click();
  await expect(toast('Approval requested')).toBeVisible();
  await expect(toast('Funds distributed')).toHaveCount(0);
  await expect(dialog).toContainText('Waiting for another super admin');
});

test('a payout above the largest one is ordered when the person allows it once, and takes two further ones', async ({
  page,
  api,
}) => {
  const { id } = await pickCommunity(api);
  const above = { needs_approval: true, above_maximum: { maximum: '500', payout_count: 1 } };
  const waiting = (...names: string[]) =>
    distributionOf({ state: 'awaiting_approval', approvals: { needed: 2, given_by: names } });
  let awaiting: ReturnType<typeof waiting>[] = [];
  await answerDistribution(page, {
    pending: () => ({ json: pendingOf({ awaiting }) }),
    plan: { json: { success: true, message: '', data: planOf(above) } },
    sent: { json: { success: true, message: '', data: sentOf({ ...above, distribution: waiting() }) } },
    statuses: () => ['pending', 'pending', 'pending', 'pending', 'pending'],
  });
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/distribute')) asked.push(request.postDataJSON());
  });
  await page.route('**/approve', (route) => {
    awaiting = [waiting('first@example.com')];
    return route.fulfill({ json: { success: true, data: awaiting[0] } });
  });
  const { opener, dialog, button, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await button('Distribute All').click();
  await expect(dialog).toContainText('1 payout is above the largest payout of 500.00 USDT');
  await expect(dialog).not.toContainText('Another super admin must approve this');
  const pay = button(/^Request approval to pay/);
  await expect(pay).toHaveAttribute('aria-disabled', 'true');
  await pay.click({ force: true });
  await dialog.getByLabel('Allow once').check();
  await expectAccessible(page);
  await pay.click();
  await expect(toast('two further super admins approve it')).toBeVisible();
  expect(asked).toEqual([
    { expected_amount: expect.any(String), dry_run: true },
    { expected_amount: expect.any(String), allow_once: true },
  ]);

  awaiting = [waiting()];
  await page.reload();
  await opener.click();
  await expect(dialog).toContainText('Above the largest payout: 0 of 2 approvals');
  await button('Approve').click();
  const question = page.getByRole('dialog', { name: 'Approve distribution' });
  await expect(question).toContainText('one more super admin must approve it after you');
  await question.getByRole('button', { name: /^Approve 1,234.56/ }).click();
  await expect(toast('One more super admin must approve it')).toBeVisible();
  await expect(dialog).toContainText('1 of 2 approvals, by first@example.com');
});

test.describe('with a refusal', () => {
  test.use({ expectedComplaint: FAILED_REQUEST });

  test('a request of another person is approved after a look at its recipients', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    const told = 'You made this account of the person who asked';
    let awaiting = [OTHERS];
    await answerDistribution(page, { pending: () => ({ json: pendingOf({ awaiting }) }) });
    const approved: string[] = [];
    await page.route('**/approve', (route) => {
      approved.push(route.request().headers()['idempotency-key'] ?? '');
      if (approved.length === 1) return route.fulfill(refusal(403, 'own_approval', told));
      awaiting = [];
      return route.fulfill({ json: { success: true, data: { ...OTHERS, state: 'approved' } } });
    });
    const { opener, dialog, button, toast } = distributeDialog(page);
    await page.goto(`/community-settings/${id}`);
    await opener.click();
    await expect(dialog).toContainText('8,100.00 USDT in 5 payouts, requested by dana@example.com');
    await button('Approve').click();
    const question = page.getByRole('dialog', { name: 'Approve distribution' });
    await expect(question.getByRole('grid').locator('tbody tr')).toHaveCount(5);
    expect(approved).toEqual([]);
    const approve = question.getByRole('button', { name: 'Approve 8,100.00 USDT in 5 payouts' });
    await approve.click();
    await expect(question.getByRole('alert')).toHaveText(told);
    await expect(dialog).toContainText('Waiting for approval');
    await approve.click();
    await expect(toast('Distribution approved')).toBeVisible();
    await expect(question).toHaveCount(0);
    await expect(dialog).not.toContainText('Waiting for approval');
    expect(approved).toEqual([UUID, UUID]);
  });
});

test('an approver finds waiting distributions without knowing their community', async ({ page }) => {
  let awaiting = [OTHERS];
  await page.route('**/api/super-admin/distributions/awaiting*', (route) =>
    route.fulfill({ json: { success: true, data: awaiting, meta: { total: awaiting.length } } }),
  );
  await answerDistribution(page, {});
  await page.route('**/approve', (route) => {
    awaiting = [];
    return route.fulfill({ json: { success: true, data: { ...OTHERS, state: 'approved' } } });
  });
  await page.goto('/communities');
  const waiting = page.getByRole('region', { name: 'Waiting for approval' });
  await expect(waiting.getByRole('heading', { name: 'Waiting for approval: 1' })).toBeVisible();
  await expect(waiting).toContainText('of Blue Harbor, requested by dana@example.com');
  await expect(waiting.getByRole('link', { name: 'Blue Harbor' })).toHaveAttribute(
    'href',
    `/community-settings/${OTHERS.community.id}`,
  );
  await expectAccessible(page);
  await page.goto('/transaction-history');
  await waiting.getByRole('button', { name: 'Approve' }).click();
  const question = page.getByRole('dialog', { name: 'Approve distribution' });
  await question.getByRole('button', { name: /^Approve 8/ }).click();
  await expect(waiting).toHaveCount(0);
});

test('an own request can be declined, and not approved', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await answerDistribution(page, { pending: { json: pendingOf({ awaiting: [OWN] }) } });
  await page.route('**/decline', (route) =>
    route.fulfill({ json: { success: true, data: { ...OWN, state: 'declined' } } }),
  );
  const { opener, dialog, button, toast } = distributeDialog(page);
  await page.goto(`/community-settings/${id}`);
  await opener.click();
  await expect(button('Approve')).toHaveAttribute('aria-disabled', 'true');
  await expect(button('Approve')).toHaveAccessibleDescription(/Another super admin must approve/);
  await button('Approve').click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await button('Decline').click();
  const question = page.getByRole('dialog', { name: 'Decline distribution' });
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(button('Decline')).toBeFocused();
  await button('Decline').click();
  await question.getByRole('button', { name: 'Decline 1,234.56 USDT' }).click();
  await expect(toast('Distribution declined')).toBeVisible();
  await expect(dialog).toBeVisible();
});

test('the distributions of a community, a page at a time', async ({ page, api }) => {
  const { id } = await pickCommunity(api);
  await page.route('**/distributions?*', (route) => {
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
    const data = [
      distributionOf({ id: `d${offset}`, total_amount: String(100 + offset) }),
      distributionOf({ id: `e${offset}`, state: 'declined', decided_by: 'kim@example.com' }),
      distributionOf({ id: `f${offset}`, state: 'awaiting_approval' }),
    ];
    return route.fulfill({ json: { success: true, data, meta: { total: 8 } } });
  });
  await page.goto(`/community-settings/${id}`);
  const panel = page.getByRole('region', { name: 'Distributions' });
  await expect(panel.getByRole('row').nth(1)).toContainText('dana@example.com');
  await expect(panel.getByRole('row').nth(1)).toContainText('100.00');
  await expect(panel.getByRole('row').nth(1)).toContainText('Not needed');
  await expect(panel.getByRole('row').nth(2)).toContainText('kim@example.com');
  await expect(panel.getByRole('row').nth(3)).toContainText('Awaiting approval');
  await panel.getByRole('button', { name: 'Next page' }).click();
  await expect(panel.getByRole('row').nth(1)).toContainText('105.00');
});

test.describe('a withdrawal', () => {
  const AVAILABLE = '**/available-for-withdrawal';
  const available = (over: object) => ({
    json: {
      success: true,
      data: { amount: '150', payable_count: 3, address: `0x${'ab'.repeat(20)}`, ...over },
    },
  });

  test('is paid after a preview', async ({ page, api }) => {
    const { id } = await pickCommunity(api);
    const asked: unknown[] = [];
    await page.route(AVAILABLE, (route) => route.fulfill(available({})));
    await page.route('**/withdraw', (route) => {
      const body = route.request().postDataJSON() as { dry_run?: boolean };
      asked.push(body);
      const own = { total_amount: '150', transaction_count: 1, consolidations: { count: 0, amount: '0' } };
      const plan = body.dry_run ? planOf(own) : sentOf(own);
      return route.fulfill({
        json: { success: true, message: '', data: { ...plan, payouts: plan.payouts.slice(1, 2) } },
      });
    });
    await answerDistribution(page, {});
    await page.goto(`/community-settings/${id}`);
    await expect(page.getByRole('region', { name: 'Wallets' })).toContainText('150.00 USDT');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw' });
    await expect(dialog).toContainText('Nothing: the wallet holds enough');
    await dialog.getByRole('button', { name: 'Pay 150.00 USDT to 0xaaa2…aaa2' }).click();
    await expect(distributeDialog(page).toast('Payout ordered: 1 recipient, 150.00 USDT')).toBeVisible();
    expect(asked).toEqual([{ dry_run: true, expected_amount: '150' }, { expected_amount: '150' }]);
  });

  for (const [over, why] of [
    [{ amount: '0', payable_count: 0 }, 'Nothing to withdraw'],
    [{ address: null }, 'No payable external address'],
  ] as const) {
    test(`is not offered: ${why.toLowerCase()}`, async ({ page, api }) => {
      const { id } = await pickCommunity(api);
      await page.route(AVAILABLE, (route) => route.fulfill(available(over)));
      await page.goto(`/community-settings/${id}`);
      await expect(page.getByText(why)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled();
    });
  }
});
