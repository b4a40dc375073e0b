import { formatCount } from '@copydesk/domain/money';
import { pickCommunity, settingsScreen } from '../support/communities.ts';
import { expect, test } from '../support/test.ts';
import { pickTrader } from '../support/traders-list.ts';

test('a trader shows its link, its level, and the tree of its referrals', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const known = await pickTrader(api, { tab: 'connected' });
  const add = async (name: string, referral_code?: string) => {
    const { data } = await api.call('POST /api/traders', {
      idempotencyKey: null,
      body: {
        community_id: known.community_id,
        selected_provider_id: known.selected_provider_id ?? '',
        language: 'en',
        name,
        referral_code,
      },
    });
    const referrals = await api.call('GET /api/traders/{id}/referrals', {
      params: { id: data.id },
      query: {},
    });
    return { id: data.id, code: referrals.meta.referral_code };
  };
  const first = await add('Referrer');
  const second = await add('Referred', first.code);
  const third = await add('Referred in turn', second.code);
  try {
    await page.goto(`/trader/${first.id}`);
    const link = page.getByRole('region', { name: 'Referral Link' });
    await expect(link).toContainText(first.code);
    await expect(link).toContainText('The community has no active bot');
    await link.getByRole('button', { name: 'Copy referral code' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(first.code);
    await expect(page.getByRole('region', { name: 'VIP Level' })).toContainText('Standard');
    await expect(page.getByRole('progressbar', { name: 'Progress to Bronze' })).toBeVisible();

    const referrals = page.getByRole('region', { name: 'Referrals' });
    await expect(referrals).toContainText('Total Referrals1');
    await expect(referrals).toContainText('Earned0.00 USDT');
    await referrals.getByRole('button', { name: 'Referrals of Referred' }).click();
    await referrals.getByRole('link', { name: 'Referred in turn' }).click();
    await expect(page).toHaveURL(`/trader/${third.id}`);
    await expect(link.getByRole('link', { name: 'Referred' })).toBeVisible();
    await expect(referrals).toBeHidden();

    await page.goto(`/trader/${first.id}`);
    await link.getByRole('button', { name: 'New code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace code' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(link).not.toContainText(first.code);
  } finally {
    for (const { id } of [third, second, first])
      await api.call('DELETE /api/traders/{id}', { params: { id } });
  }
});

test('a community shows its levels with their traders, and its sign-ups by source', async ({ page, api }) => {
  const community = await pickCommunity(api);
  const params = { id: community.id };
  const { data: levels } = await api.call('GET /api/communities/{id}/vip/stats', { params });
  const level = levels.find(({ level, trader_count }) => level > 0 && trader_count > 0);
  if (!level) throw new Error('no trader of the community has a level');
  await page.goto(`/community-settings/${community.id}?tab=traders`);
  const { panel, dialog } = settingsScreen(page);
  const table = panel('VIP Levels');
  await expect(table.getByRole('row')).toHaveCount(levels.length + 1);
  await expect(table.getByRole('row', { name: level.name })).toContainText(formatCount(level.trader_count));
  await table.getByRole('button', { name: level.name }).click();
  await expect(dialog.getByRole('row')).toHaveCount(Math.min(10, level.trader_count) + 1);
  await dialog.getByRole('link').first().click();
  await expect(page.getByRole('region', { name: 'VIP Level' })).toContainText(level.name);

  await page.goto(`/community-settings/${community.id}?tab=traders`);
  const signups = panel('Sign-ups');
  await signups.getByText('All', { exact: true }).click();
  const { data: days } = await api.call('GET /api/communities/{id}/signups', { params, query: {} });
  const referred = days.reduce((sum, { sources }) => sum + sources.referral, 0);
  const unrecorded = days.reduce((sum, { sources }) => sum + sources.unknown, 0);
  const sources = signups.getByRole('list', { name: 'Sign-ups by source' });
  await expect(sources).toContainText(`Not recorded${formatCount(unrecorded)}`);
  if (referred > 0) await expect(sources).toContainText(`Referral${formatCount(referred)}`);
  await expect(signups.getByRole('img', { name: /^Sign-ups from / })).toBeVisible();
});
