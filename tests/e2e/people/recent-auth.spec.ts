import { pickCommunity, putBack, settingsScreen } from '../support/communities.ts';
import { embeddedOnly } from '../support/identity-mode.ts';
import { letRecentAuthAge, recentAuthDialog } from '../support/recent-auth.ts';
import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { pickWithAccounts, traderDetail } from '../support/trader-detail.ts';

// The browser reports every answer of 403.
test.use({ expectedComplaint: FAILED_REQUEST });

const SETTINGS = /\/api\/super-admin\/communities\/[^/]+$/;

test('a sensitive change asks for confirmation once, and then completes automatically', async ({
  page,
  api,
}) => {
  embeddedOnly('The service asks in a dialog of its own');
  const community = await pickCommunity(api);
  const sent = await letRecentAuthAge(page, SETTINGS);
  await page.goto(`/community-settings/${community.id}`);
  const { settings } = settingsScreen(page);
  await settingsScreen(page).edit('minimum balance').click();
  const edit = page.getByRole('dialog');
  await edit.getByRole('textbox').fill(String(community.minimum_balance + 1));
  await edit.getByRole('button', { name: 'Save' }).click();
  const { dialog, button } = recentAuthDialog(page);
  await expect(dialog).toContainText(
    'Money, payout addresses, secrets and users need a sign-in from the last 10 minutes.',
  );
  await expect(dialog).toContainText('super@demo.example');
  await expect(button('Confirm')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(settings).toContainText(`${(community.minimum_balance + 1).toLocaleString('en-US')} USDT`);
  expect(sent).toHaveLength(2);
  const [first, second] = sent.map((request) => request.headers());
  expect(first?.['idempotency-key']).toBe(second?.['idempotency-key']);
  expect(first?.authorization).not.toBe(second?.authorization);
  await putBack(api, community);
});

test('hovering over a secret asks nothing; a click confirms, reveals, and shows the viewer', async ({
  page,
  api,
}) => {
  embeddedOnly('The service asks in a dialog of its own');
  const trader = await pickWithAccounts(api, ['bybit'], 1);
  const [account] = trader.exchanges;
  if (!account) throw new Error('no account');
  const sent = await letRecentAuthAge(page, '**/exchange/reveal');
  await page.goto(`/trader/${trader.id}`);
  const card = traderDetail(page).card(account);
  const secret = card.getByRole('button', { name: /^Reveal API Key/ });
  const hint = secret.getByText('Confirm it is you: click to reveal');
  const { dialog, button } = recentAuthDialog(page);
  // A live read may add a position above the card, which moves the secret from under the pointer.
  let isClicked = false;
  await expect(async () => {
    // A click may arrive although waiting for its end took too long.
    if (isClicked && (await dialog.isVisible())) return;
    await secret.hover({ timeout: 3_000 });
    await expect(hint).toBeVisible({ timeout: 3_000 });
    await expect(dialog).toHaveCount(0);
    isClicked = true;
    await hint.click({ timeout: 1_000 });
  }).toPass();
  // By keyboard, so that the pointer stays where it is.
  await expect(button('Confirm')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByText('API Key revealed by you, just now')).toBeVisible();
  // Refused with the old token (pointer, click, perhaps the focus in between), then answered with the new one.
  const tokens = sent.map((request) => request.headers().authorization);
  const renewed = tokens.findIndex((token) => token !== tokens[0]);
  expect(renewed).toBeGreaterThan(0);
  expect(new Set(tokens.slice(renewed)).size).toBe(1);
});
