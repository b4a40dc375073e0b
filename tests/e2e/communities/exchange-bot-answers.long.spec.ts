import { expectAccessible } from '../support/accessibility.ts';
import { telegramPerson } from '../support/telegram-person.ts';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 1440, height: 1100 } });

/** The bot reads and answers in turns. */
const ANSWERED = { timeout: 60_000 };

// Another person at each attempt: what the bot has sent to one stays.
const PERSON = {
  id: 7_200_000_000 + Math.floor(Math.random() * 1_000_000),
  first_name: 'Lena',
  last_name: 'Sommer',
  language_code: 'en',
};

const { act, received } = telegramPerson(2_000_100, PERSON);

test('a message that did not arrive is sent again', async ({ page, api }) => {
  const panel = (name: string | RegExp) => page.getByRole('region', { name });
  const { data: communities } = await api.call('GET /api/communities');
  const bots = await Promise.all(
    communities.map(
      async ({ id }) => (await api.call('GET /api/exchange-bot/community/{id}', { params: { id } })).data,
    ),
  );
  const bot = bots.find((one) => one?.telegram_id === '2000100');
  await page.goto(`/community-settings/${bot?.community_id}/bot`);
  await expect(panel('Bot')).toContainText('Last read');
  await expect(panel('Bot')).not.toContainText('Not yet', { timeout: 60_000 });

  await expect(panel('Questions')).toBeVisible();
  await expect(panel('Texts')).toHaveCount(0);
  await act({ text: '/start' });
  await expect.poll(async () => (await received()).length, ANSWERED).toBe(1);

  await act({ text: 'A question', blocks: true });
  const failed = panel(/^Failed Messages/);
  await expect(async () => {
    await page.reload();
    await expect(failed.getByRole('listitem').first()).toBeVisible({ timeout: 15_000 });
  }).toPass();
  const message = failed.getByRole('listitem').first();
  await expect(message).toContainText('Lena Sommer');
  await expect(message).toContainText('The person has blocked the bot');
  await expectAccessible(page);
  await act({ text: '/start' });
  const before = await failed.getByRole('listitem').count();
  await message.getByRole('button', { name: 'Try Again: message to Lena Sommer' }).click();
  if (before === 1) await expect(failed).toContainText('No failed messages');
  else await expect(failed.getByRole('listitem')).toHaveCount(before - 1);
  const texts = async () => (await received()).map(({ text }) => text);
  await expect.poll(texts, ANSWERED).toContain('What would you like to do?');
});
