import { expectAccessible } from './support/accessibility.ts';
import { expect, FAILED_REQUEST, test } from './support/test.ts';

// A text without what it has to contain.
test.use({ expectedComplaint: FAILED_REQUEST, viewport: { width: 1440, height: 1100 } });
test.describe.configure({ timeout: 120_000 });

const PERSON = { id: 7_200_000_001, first_name: 'Lena', last_name: 'Sommer', language_code: 'en' };

/** Plays a person in front of the bot of the demo world. @returns the texts that the person has got */
async function act(what: { text: string; blocks?: true }): Promise<string[]> {
  const url = process.env.E2E_TELEGRAM_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)];
  const answer = await fetch(`${url}/__people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bot: 2_000_100, person: PERSON, ...what }),
  });
  expect(answer.status).toBe(200);
  return received(url);
}

async function received(
  url = process.env.E2E_TELEGRAM_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)],
) {
  const got = await fetch(`${url}/__people?bot=2000100&person=${PERSON.id}`);
  const { messages } = (await got.json()) as { messages: { text: string }[] };
  return messages.map(({ text }) => text.replace(/[\u2066-\u2069]/g, ''));
}

test('a text is changed, and a message that did not arrive is sent again', async ({ page, api }) => {
  const dialog = page.getByRole('dialog');
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

  const texts = panel('Texts');
  await texts.getByLabel('Group of texts').selectOption('Plans and orders');
  await texts.getByRole('button', { name: 'Edit the text: Order, with address and QR code' }).click();
  await dialog.getByLabel('Text').fill('Pay {amount} please');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Pay 49.00 USDT please');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('The text has to contain {network}');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Back' }).click();

  await texts.getByLabel('Group of texts').selectOption('Start');
  await texts.getByRole('button', { name: 'Edit the text: Welcome' }).click();
  await dialog.getByLabel('Text').fill('Hello from {bot} & friends');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(texts.getByRole('listitem').first()).toContainText('Own text');
  await act({ text: '/start' });
  await expect.poll(() => received()).toEqual(['Hello from Demo Bot 2000100 & friends']);

  await act({ text: 'A question', blocks: true });
  const failed = panel(/^Failed Messages/);
  await expect(async () => {
    await page.reload();
    await expect(failed.getByRole('listitem')).toHaveCount(1, { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await expect(failed).toContainText('Lena Sommer');
  await expect(failed).toContainText('The person has blocked the bot');
  await expectAccessible(page);
  await act({ text: '/start' });
  await failed.getByRole('button', { name: 'Try Again: message to Lena Sommer' }).click();
  await expect(failed).toContainText('No failed messages');
  await expect.poll(() => received()).toContain('What would you like to do?');

  await texts.getByRole('button', { name: 'Edit the text: Welcome' }).click();
  await dialog.getByRole('button', { name: 'Restore Default' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(texts.getByRole('listitem').first()).not.toContainText('Own text');
});
