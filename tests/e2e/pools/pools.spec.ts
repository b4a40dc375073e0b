import { expectAccessible } from '../support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';

// What does not exist, and a link that was not made here.
test.use({ expectedComplaint: FAILED_REQUEST });

test('a pool shows the figures of the API, a member its statement, and a community its pool', async ({
  page,
  api,
}) => {
  const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
  const [one] = pools;
  if (!one) throw new Error('the demo world has no pool');
  const { data: members, meta } = await api.call('GET /api/pooled-accounts/{id}/traders', {
    params: { id: one.id },
    query: { limit: '1' },
  });
  await page.goto(`/pools/${one.id}`);
  const list = page.getByRole('region', { name: 'Members' });
  await expect(list.getByRole('heading')).toContainText(String(meta.total));
  await expect(list.getByRole('row').nth(1)).toContainText(
    members[0]?.trader.reference_number ?? members[0]?.trader.telegram_username ?? 'No reference number',
  );

  await page.goto(`/trader/${members[0]?.trader.id}`);
  const statement = page.getByRole('region', { name: /^Pool/ });
  await expect(statement).toContainText('Virtual balance');
  await expect(statement.getByTitle(/ USDT$/).last()).toBeVisible();
  await statement.getByRole('link', { name: `Pool of ${one.community.name}` }).click();
  await expect(page).toHaveURL(`/pools/${one.id}`);
  await page.goto(`/community-settings/${one.community.id}?tab=pool`);
  const panel = page.getByRole('region', { name: 'Pooled Account' });
  await expect(panel).toContainText('Virtual balance');
  await panel.getByRole('link', { name: 'Open pool' }).click();
  await expect(page).toHaveURL(`/pools/${one.id}`);
  for (const id of ['00000000-0000-4000-8000-00000000dead', 'nothing']) {
    await page.goto(`/pools/${id}`);
    await expect(page.getByRole('heading', { name: 'Pool Not Found' })).toBeVisible();
  }
});

test.describe('staff', () => {
  test.use({ persona: 'staff' });

  test('staff find their pools beside the communities, with their own figures only', async ({
    page,
    api,
  }) => {
    const { pooled_accounts: pools } = await api.call('GET /api/pooled-accounts');
    const [first] = pools;
    if (!first) throw new Error('no pool');
    await page.goto('/communities');
    await page.getByRole('link', { name: pools.length === 1 ? '1 pool' : `${pools.length} pools` }).click();
    const list = page.getByRole('region', { name: 'Pooled Trading Accounts' });
    await expect(list).toContainText(first.community.name);
    await expect(list.getByTitle(/ USDT$/)).toHaveCount(pools.length);
    await expect(list).not.toContainText('Proxy');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await list.getByRole('button', { name: 'Search pools by community' }).click();
    await page.keyboard.type('no such name');
    await expect(list).toContainText('No pooled accounts match');
    await page.getByRole('searchbox').fill(first.community.name.toUpperCase());
    await expect(list.getByRole('link')).toHaveText([first.community.name]);
    await expectAccessible(page);
    await list.getByRole('link', { name: first.community.name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(first.community.name);
    await page.getByRole('button', { name: 'Back' }).click();
    // The search is part of the address.
    await expect(page).toHaveURL(/\/pools\?search=/);
    await expect(list.getByRole('link')).toHaveText([first.community.name]);
  });
});

test.describe('an owner without an account', () => {
  test.use({ persona: null });

  test('a link that was not made here shows nothing', async ({ page }) => {
    await page.goto('/pool-owner#made-up');
    await expect(page.getByRole('heading', { name: 'Nothing to report here' })).toBeVisible();
    await expect(page.getByText('This link is invalid or no longer used')).toBeVisible();
  });
});
