import type { CallAnswer } from '@copydesk/contract';
import { COMMUNITY_STEPS } from '@copydesk/domain/setup';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { refuse } from '../../../testing/serve-calls.ts';
import { COMMUNITY, showCommunity } from '../../../testing/show-community.ts';

const GET = 'GET /api/super-admin/communities/{id}/setup-checklist';
type Step = CallAnswer<typeof GET>['data'][number];

/** All done but these. */
const steps = (changes: Partial<Record<Step['step'], Step['state']>>): CallAnswer<typeof GET> => ({
  success: true,
  data: COMMUNITY_STEPS.map((step) => ({ step, state: changes[step] ?? 'done', text: `About ${step}.` })),
});
const panel = page.getByRole('region', { name: 'Set-up' });
const line = (nth: number) => panel.getByRole('listitem').nth(nth);

test('a new community lists every step: done, or the way to where it is done', async () => {
  const { address, server } = await showCommunity({
    answers: { [GET]: steps({ provider: 'missing', wallet: 'missing', bot: 'wrong' }) },
  });
  await expect.element(panel).toHaveTextContent('4 of 7 steps are done');
  await expect.element(line(0)).toHaveTextContent('ProviderTo doAbout provider.Link a provider');
  await expect.element(line(1)).toHaveTextContent(/^SplitDoneAbout split\.$/);
  // The worker does it.
  await expect.element(line(3)).toHaveTextContent(/^WalletTo doAbout wallet\.$/);
  await expect.element(line(4)).toHaveTextContent('BotNot workingAbout bot.See the bot');
  expect(panel.getByRole('link').elements()).toHaveLength(2);
  await expectAccessible();
  await line(0).getByRole('link').click();
  await expect.poll(address).toBe(`/community-settings/${COMMUNITY.id}?tab=settings`);
  await expect.element(page.getByRole('region', { name: 'Providers' })).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();

  // Once all is done it goes, and no bot is needed for that.
  server.answer({ [GET]: steps({ bot: 'missing' }) });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect.poll(() => server.sentTo(GET).length).toBeGreaterThan(1);
  await expect.element(panel).not.toBeInTheDocument();
});

test('it is not there after a failure', async () => {
  const { server } = await showCommunity({ answers: { [GET]: refuse(404, 'not_found') } });
  await expect.poll(() => server.sentTo(GET).length).toBeGreaterThan(0);
  await expect.element(page.getByRole('region', { name: 'Wallets' })).toBeVisible();
  expect(panel.elements()).toEqual([]);
});

test('an archived community is not set up', async () => {
  const { server } = await showCommunity({
    answers: { 'GET /api/communities/{id}': { success: true, data: { ...COMMUNITY, is_archived: true } } },
  });
  await expect.element(page.getByRole('button', { name: 'Restore' })).toBeVisible();
  expect(server.sentTo(GET)).toEqual([]);
});
